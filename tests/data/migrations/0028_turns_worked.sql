-- Rows as version 0028 leaves them.
UPDATE turns SET worked_ms = 1200 WHERE state = 'ended';
