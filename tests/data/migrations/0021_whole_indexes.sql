-- Rows as version 0021 leaves them.
INSERT INTO line_words (rowid, words) VALUES (141, 'p00000000000000000001cake');
