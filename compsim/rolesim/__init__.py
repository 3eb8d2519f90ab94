"""The published RoleSim on phrases: role phrases in arrays, a scheme, one kernel.

>>> from compsim.rolesim.scheme_file import read_scheme
>>> read_scheme("paper").roles[:3]
('Verb', 'Agent', 'Patient')
"""
