-- Rows as version 0015 leaves them.
INSERT INTO forgettings VALUES (140, 'forgetting-token', 1, 10, 'user', 1, '[100]', 9000, 'expired');
