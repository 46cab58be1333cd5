-- Rows as version 0019 leaves them.
INSERT INTO memory_words (rowid, words) VALUES (140, 'p00000000000000000001tea');
