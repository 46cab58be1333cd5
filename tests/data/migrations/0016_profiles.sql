-- Rows as version 0016 leaves them.
INSERT INTO profiles VALUES (1, 'I live in Bern.', 9000);
