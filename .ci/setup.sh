#!/bin/sh
# Virtual environment, dependencies and a Chromium, on a machine that has only Python >= 3.11.
set -eu
PYTHON="${PYTHON:-python3}"
VENV="${VENV:-.venv}"

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 3
}

# Runs a command whose output matters only when it fails.
quietly() {
  if log=$("$@" 2>&1); then return 0; fi
  printf '%s\n' "$log" | tail -n 20 >&2
  return 1
}

as_root_on_debian() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
  if [ -z "${apt_updated:-}" ]; then
    quietly apt-get update -qq || say "The package lists could not be brought up to date; trying with the old ones"
    apt_updated=1
  fi
  quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"
}

any_browser() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

# Not called chromium: `command -v` finds functions too. A headless shell will do where nothing else comes,
# but has no windows, which real mouse and keyboard (and the tests of them) need.
which_chromium() { "$VENV/bin/python" -m webbench.core.browser.launch "$@"; }
chromium_works() { which_chromium --windowed >/dev/null 2>&1; }

new_environment() { "$python" -m venv --clear "$VENV" >/dev/null 2>&1; }

for candidate in "$PYTHON" python3.14 python3.13 python3.12 python3.11; do
  if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python="$candidate"
    break
  fi
done
[ -n "${python:-}" ] || fail "Python 3.11 or newer is needed; set PYTHON=/path/to/python3"

# Without Debian's venv package an environment comes to be, but without pip.
if ! "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
  say "The first set-up takes a few minutes (it downloads packages, and maybe a browser); later starts are quick"
  say "Creating $VENV"
  if ! new_environment; then
    version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    as_root_on_debian || fail "Python's venv module is missing: install the package $version-venv"
    say "Installing Python's venv module with apt"
    apt_install "$version-venv" || apt_install python3-venv || fail "apt could not install $version-venv"
    new_environment || fail "$python makes no virtual environment: install the package $version-venv"
  fi
fi

# apt brings a browser, its chromedriver, and a display for real mouse and keyboard (all else works without
# these two), while pip brings the packages; which browser is used is known when both are there.
browser=
wanted=
if as_root_on_debian; then
  if [ -z "${WEBBENCH_CHROMIUM:-}" ] && ! any_browser; then
    browser=wanted
    wanted=chromium
  fi
  # Selenium's half of the browser; of another browser's version, apt's would not fit.
  if { [ -n "$browser" ] || command -v chromium >/dev/null 2>&1; } && ! command -v chromedriver >/dev/null 2>&1; then
    wanted="${wanted:+$wanted }chromium-driver"
  fi
  command -v Xvfb >/dev/null 2>&1 || wanted="${wanted:+$wanted }xvfb"
fi
if [ -n "$wanted" ]; then
  say "Installing $wanted with apt, meanwhile:"
  (for package in $wanted; do apt_install "$package" || say "apt has no $package that can be installed"; done) &
  apt=$!
fi

# What is never imported need not be compiled.
say "Installing dependencies"
installed=yes
quietly "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
  --no-compile -c constraints.txt -e '.[dev]' || installed=
[ -z "$wanted" ] || wait "$apt" || :
[ -n "$installed" ] || fail "The dependencies could not be installed (see above)"

if ! chromium_works && [ -z "${WEBBENCH_CHROMIUM:-}" ]; then
  if [ -z "$browser" ] && as_root_on_debian; then
    say "Installing Chromium with apt"
    apt_install chromium || say "apt has no Chromium that can be installed"
  fi
  # Ubuntu's package only points to a snap, so what counts is whether a browser runs now.
  if ! chromium_works; then
    say "Installing Chromium with Playwright"
    if as_root_on_debian; then
      quietly "$VENV/bin/python" -m playwright install-deps chromium || say "Its libraries could not be installed"
    fi
    quietly "$VENV/bin/python" -m playwright install chromium || say "Playwright could not install one"
  fi
fi
which_chromium >&2
