from tests.core.agents.programs import place

__all__ = ["place"]
