INSERT INTO stretches VALUES (70, 20, 'user', 1, 1, 1100, 0);
INSERT INTO lines VALUES (40, 'user', 1, 40, 1, 70, 0, 1100, NULL);
INSERT INTO line_words (rowid, owner, words) VALUES (40, 'user1', 'hi');
