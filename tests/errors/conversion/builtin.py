f = len
