-- Rows as version 0032 leaves them: none of its own.
UPDATE inbox SET message = coalesce(message, '1') WHERE kind = 'message';
