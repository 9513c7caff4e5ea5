"""WebVoyager: questions to be answered on fifteen sites of the live web, judged from the last screenshots."""
