"""Role-based similarity: role phrases in arrays, one kernel, and the methods made of them.

>>> from compsim.rolesim.scheme import Scheme
>>> Scheme.read("paper").roles[:3]
('Verb', 'Agent', 'Patient')
"""
