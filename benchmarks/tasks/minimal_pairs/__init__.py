"""Sentences that differ in one thing: do scores tell what that does to the meaning?"""
