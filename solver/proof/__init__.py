"""Proofs of winners and lengths, written out node by node from what the kernel knows (see books/checker.py for what they mean)."""
