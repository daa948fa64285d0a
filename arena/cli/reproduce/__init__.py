"""`arena reproduce`: the documents' numbers beside ours."""
