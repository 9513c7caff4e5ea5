#!/bin/sh
# Virtual environment, dependencies and a Chromium, on a machine that has only Python >= 3.11.
set -eu
PYTHON="${PYTHON:-python3}"
VENV="${VENV:-.venv}"

say() { printf '%s\n' "$*" >&2; }

for candidate in "$PYTHON" python3.14 python3.13 python3.12 python3.11; do
  if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python="$candidate"
    break
  fi
done
[ -n "${python:-}" ] || { say "Python 3.11 or newer is needed; set PYTHON=/path/to/python3"; exit 3; }

as_root_on_debian() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
  [ -n "${apt_updated:-}" ] || { apt-get update -qq >/dev/null; apt_updated=1; }
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

if [ ! -x "$VENV/bin/python" ]; then
  say "Creating $VENV"
  if ! "$python" -m venv "$VENV" 2>/dev/null; then
    as_root_on_debian || { say "Python's venv module is missing: install the package python3-venv"; exit 3; }
    apt_install python3-venv
    rm -rf "$VENV"
    "$python" -m venv "$VENV"
  fi
fi

say "Installing dependencies"
"$VENV/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'

if "$VENV/bin/python" -m webbench.core.browser.launch >/dev/null 2>&1; then
  :
elif as_root_on_debian && { say "Installing Chromium with apt"; apt_install chromium || apt_install chromium-browser; }; then
  :
else
  say "Installing Chromium with Playwright"
  "$VENV/bin/python" -m playwright install chromium
fi
"$VENV/bin/python" -m webbench.core.browser.launch >&2
