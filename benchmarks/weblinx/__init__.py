"""WebLINX: dialogue turns of web navigation, scored turn by turn against what a person did."""
