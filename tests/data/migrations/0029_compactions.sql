-- Rows as version 0028 leaves them.
INSERT INTO compactions SELECT 170, id, 1, 1, 'Ann wants tea.', '[]', '[]' FROM sessions LIMIT 1;
INSERT INTO compacting SELECT id, 1, '{}', 0, 9000, 0 FROM sessions LIMIT 1;
