"""What the API and the pages share in answering a request: who asks, for what, and how it is answered."""
