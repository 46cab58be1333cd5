-- Rows as version 0031 leaves them.
INSERT INTO file_changes VALUES (190, 40, 'call_1_0', 'a', '00', x'6f6c64', 420, '11', 1);
INSERT INTO undos VALUES (191, 'undo-token', 40, 1, '{}', NULL, 'open', 9000);
