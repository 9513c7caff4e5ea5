"""TurkingBench: crowd-work tasks as web pages."""
