-- Rows as version 0002 leaves them.
INSERT INTO memories VALUES (100, 'user', 1, 'fact', 'likes oolong tea', 40, 1100, 1100);
INSERT INTO memory_words (rowid, owner, words) VALUES (100, 'user1', 'likes oolong tea');
