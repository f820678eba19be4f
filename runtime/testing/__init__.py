"""What ``runtime.test`` is made of: the class of test cases, and how it compares values.

comparisons.py has the assertions on arrays and nests, cases.py the sessions and the evaluation.
"""
