-- Two pieces of an index at the same level are merged when the upkeep of the memory asks for it.
INSERT INTO memory_words (memory_words, rank) VALUES ('usermerge', 2);
INSERT INTO line_words (line_words, rank) VALUES ('usermerge', 2);
