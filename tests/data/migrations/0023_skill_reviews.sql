-- Rows as version 0023 leaves them.
INSERT INTO skill_pins VALUES ('all', 0, 'tea', 'abc', '{}', 9000), ('user', 1, 'ink', 'def', '{}', 9000);
INSERT INTO skill_reviews VALUES
    (150, 'skill-token', 'install', '/srv/tea', 1, 10, '{}', 'user', 1, 'all', 0, 'tea', 'abc', '{}', 9000, 'expired');
