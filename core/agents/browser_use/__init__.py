"""The agent browser-use under our recording: it drives the browser, its actions are steps of ours."""
