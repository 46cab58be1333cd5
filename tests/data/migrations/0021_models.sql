-- Rows as version 0021 leaves them.
UPDATE sessions SET model = 'main/large' WHERE id = (SELECT min(id) FROM sessions);
