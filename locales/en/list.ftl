### What stands between the parts of a list.

# Between names: `a, b, c`.
list-names = ,{" "}
# Between parts of a sentence.
list-clauses = ,{" "}
# Between sentences, or parts that have commas.
list-sentences = ;{" "}
# Behind the name of a thing, before what is said of it.
list-colon = :{" "}
