import gymnasium
from browsergym.core.env import BrowserEnv


def register_task(id, task_class, nondeterministic=True):
    gymnasium.register(
        id=f"browsergym/{id}",
        entry_point=lambda *args, **kwargs: BrowserEnv(task_class, *args, **kwargs),
        nondeterministic=nondeterministic,
    )
