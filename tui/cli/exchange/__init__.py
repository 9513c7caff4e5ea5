"""Commands that bring episodes in and out, and compare what comes back."""
