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
)
"""The list below the address bar as a page: every window would load it into a renderer of its own, which
costs about half the processor time of a start, for something that nobody sees."""

CHROMIUM_ARGUMENTS = (
    "--enable-blink-features=ComputedAccessibilityInfo",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--no-pings",
    f"--disable-features={','.join((*OFF_IN_PLAYWRIGHT, *OFF))}",
)
