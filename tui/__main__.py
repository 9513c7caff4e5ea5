"""`python -m webbench.tui` is `webbench-tui`."""

from webbench.tui.start import main

if __name__ == "__main__":
    main()
