-- Rows as version 0017 leaves them.
UPDATE turns SET to_learn = 1 WHERE id = 40;
INSERT INTO lessons VALUES (20, 1, 9000, 0);
INSERT INTO learned VALUES (140, 'learned-token', 1, 10, '{"user":1}', '[{"new":100}]', 'open');
