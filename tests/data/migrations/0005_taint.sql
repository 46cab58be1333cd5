-- Rows as version 0005 leaves them.
INSERT INTO memories VALUES (101, 'user', 1, 'episode', 'list my files → Two files.', 40, 1200, 1200,
    '[{"way":"here","origin":{"tool":{"name":"shell","arguments":"{\"command\":\"ls\"}"}}}]');
INSERT INTO memory_words (rowid, owner, words) VALUES (101, 'user1', 'list my files two files');
