"""The command line that our Chromium is started with, beyond what Playwright gives it."""

from __future__ import annotations

OFF_IN_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "msForceBrowserSignIn",
    "msEdgeUpdateLaunchServicesPreferredVersion",
)
"""Features that Playwright turns off. Of several `--disable-features` only the last counts, so ours says
them again."""

OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
)
"""The list below the address bar as a page: every window would load it into a renderer of its own, which
costs about half the processor time of a start, for something that nobody sees. And a renderer kept ready for
the next site, per context: most episodes never go to one, and pay for it in time and memory."""

# A headless shell, unlike a whole Chromium, keeps frames of other sites in their page's process: a stuck one
# would hold up its page, and the two kinds of Chromium would behave differently.
CHROMIUM_ARGUMENTS = (
    "--enable-blink-features=ComputedAccessibilityInfo",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--no-pings",
    "--site-per-process",
    f"--disable-features={','.join((*OFF_IN_PLAYWRIGHT, *OFF))}",
)

CHROMEDRIVER_ARGUMENTS = (
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--enable-features=CDPScreenshotNewSurface",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
)
"""What Playwright gives a Chromium by itself and a chromedriver does not: pages must behave alike."""

WINDOWLESS_ARGUMENTS = (
    "--headless",
    "--hide-scrollbars",
    "--mute-audio",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
)
"""The same, for a Chromium without a window."""
