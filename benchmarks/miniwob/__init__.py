"""MiniWoB++: small pages that draw a new task from every seed and score it themselves."""
