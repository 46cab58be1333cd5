-- Rows as version 0034 leaves them: the totals of a day come by themselves.
INSERT INTO usage VALUES (1, '2026-11-24', 20, '', 2, 300, 0, 30, 0, 0, 60, 40, 5);
