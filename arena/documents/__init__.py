"""The five documents: what they print, as they print it, and what answers it here; nothing is computed.

A figure is kept as the document's text wherever its digits matter, so that a rounded mean stays one.
"""
