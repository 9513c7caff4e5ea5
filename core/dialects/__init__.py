"""Action languages: text to Action and back."""
