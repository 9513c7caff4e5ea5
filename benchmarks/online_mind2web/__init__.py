"""Online-Mind2Web: tasks on sites of the live web, judged from screenshots and actions by WebJudge."""
