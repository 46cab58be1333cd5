-- Rows as version 0033 leaves them.
INSERT INTO compactions SELECT 171, id, 1, 'Ann wants tea.', '[]', '[]' FROM sessions LIMIT 1;
UPDATE compacting SET version = 1, unanswered = 2;
