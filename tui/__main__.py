"""`python -m webbench.tui` is `webbench-tui`."""

from webbench.tui.cli import main

if __name__ == "__main__":
    main()
