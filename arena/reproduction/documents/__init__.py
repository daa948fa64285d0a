"""What the five documents print, as they print it: data with their source, nothing computed.

A figure is kept as the document's text wherever its digits matter, so that a rounded mean stays one.
"""
