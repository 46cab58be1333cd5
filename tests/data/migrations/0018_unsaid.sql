-- Rows as version 0018 leaves them.
UPDATE turns SET forgotten = 1 WHERE id = 40;
UPDATE forgettings SET words = 'tin tea' WHERE id = 140;
INSERT INTO unindexed_turns VALUES (40, 1, 9000);
