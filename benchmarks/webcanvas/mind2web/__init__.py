"""Mind2Web's offline evaluation: predicted steps against what a person did."""
