"""Scripts that maintain the repository: packages, pages made from the code, shipped agents.

They are not in the wheel.
"""
