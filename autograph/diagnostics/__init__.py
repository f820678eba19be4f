"""Where the user's code is, what messages say of it, and how much is logged."""
