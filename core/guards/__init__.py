"""When a person is asked before an agent's action is carried out, and what is refused without one."""
