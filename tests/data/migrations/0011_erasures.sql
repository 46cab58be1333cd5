-- Rows as version 0011 leaves them.
INSERT INTO erasures VALUES (120, 'erasure-token', 1, 10, '{"channel":"telegram","chat":"101"}', 9000, 'done', '[1]', 1000, NULL);
UPDATE inbox SET sender = '101' WHERE id = 30;
