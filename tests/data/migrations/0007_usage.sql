-- Rows as version 0007 leaves them.
INSERT INTO usage VALUES (1, '2026-11-21', 20, '', 2, 200, 50, 20, 0, 0, 42, 0, 0);
INSERT INTO usage VALUES (2, '2026-11-21', 20, 'morning', 1, 100, 0, 10, 110, 110, 0, 90, 0);
UPDATE turns SET spent_tokens = 220, spent_micros = 42 WHERE id = 40;
INSERT INTO budget_days VALUES (2, '2026-11-21', 'user', '', 150, 1000);
INSERT INTO budget_cards VALUES (140, 'raise-token', 2, '2026-11-21', 'user', '', '[{"channel":"telegram","chat":"101"}]', 9000, 'open');
