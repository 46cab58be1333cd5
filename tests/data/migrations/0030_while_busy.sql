-- Rows as version 0030 leaves them.
UPDATE inbox SET while_busy = 'queue' WHERE id = 30;
INSERT INTO queued_notices VALUES (180, 20, 1);
