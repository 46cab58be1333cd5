-- Rows as version 0020 leaves them.
INSERT INTO skills_off VALUES ('user', 1, 'learning', 9000), ('chat', 1, 'debugging', 9000);
