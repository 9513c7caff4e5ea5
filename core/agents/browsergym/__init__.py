"""Agents written for BrowserGym: an object with `get_action(obs)`, in a process of its own.

`agent` is the engine's side. `host`, `loading`, `observation`, `tree`, `document` and `answers` run in that
process, perhaps under another Python with other packages: they import nothing of ours but each other, and
NumPy and Pillow only where a picture came.
"""
