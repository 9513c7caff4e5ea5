"""Small Voyage: questions in WebVoyager's format on six linked sites."""
