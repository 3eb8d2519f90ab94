"""Role-based similarity: role phrases in arrays, one kernel, and the methods made of them.

>>> from compsim.rolesim.scheme_file import read_scheme
>>> read_scheme("paper").roles[:3]
('Verb', 'Agent', 'Patient')
"""
