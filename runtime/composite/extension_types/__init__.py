"""Extension types: classes of the user's whose values tensors make up, and functions of them."""
