"""The documentation as a site: `python -m deploy.site FOLDER` gathers its pages and has Sphinx make HTML.

What is written stands in `docs/`; the pages of commands, of the API and of Python are made of the program.
"""
