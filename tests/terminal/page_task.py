"""Any page as a task that the program can step: a data set of one task, made on the spot."""

from __future__ import annotations

from pathlib import Path

TASK = "page"


def page_task(folder: Path, html: str) -> list[str]:
    """Write the page as a task into `folder`; gives the arguments of `step` that open it."""
    task = folder / "tasks" / TASK
    task.mkdir(parents=True)
    (task / "template.html").write_text(html, encoding="utf-8")
    (task / "batch.csv").write_text("Title,Answer.note\nA page,anything\n", encoding="utf-8")
    splits = folder / "splits"
    splits.mkdir()
    for split in ("evaluation_tasks_easy", "evaluation_tasks_hard"):
        (splits / f"{split}.txt").write_text(f"{TASK}\n" if split.endswith("easy") else "")
    return ["step", "turkingbench", TASK, "--data", str(folder)]
