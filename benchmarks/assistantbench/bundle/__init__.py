"""Small Web: questions in AssistantBench's format over six linked sites and a search engine."""
