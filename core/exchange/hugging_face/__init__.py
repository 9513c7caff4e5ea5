"""Data sets as Hugging Face's `datasets` loads them: Parquet with pictures, and a card."""
