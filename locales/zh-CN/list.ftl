list-names = 、
list-clauses = ，
list-sentences = ；
list-colon = ：
