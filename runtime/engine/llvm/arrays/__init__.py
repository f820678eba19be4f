"""Native code of whole arrays: element-wise operations that run as one loop."""
