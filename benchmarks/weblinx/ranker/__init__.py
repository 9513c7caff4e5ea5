"""Training what ranks elements, and measuring it: dense markup ranking (paper, section 5.1, appendix B.4)."""
