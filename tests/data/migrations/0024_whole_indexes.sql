-- Rows as version 0024 leaves them.
INSERT INTO line_words (rowid, words) VALUES (141, 'p00000000000000000001cake');
