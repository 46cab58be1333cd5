-- Rows as version 0006 leaves them.
INSERT INTO audit VALUES
    (1, 5000, 'called', 50, 20, 10, 1, 'call_1_0', 'shell', 'approved', 'user 1', NULL, 'abab', 'cdcd'),
    (2, 5001, 'returned', 50, 20, 10, 1, 'call_1_0', 'shell', NULL, NULL, 'success', NULL, 'efef');
INSERT INTO audit_payloads VALUES (1, 1, x'0102', '{"command":"ls"}');
