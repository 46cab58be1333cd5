-- Rows as version 0036 leaves them.
INSERT INTO grants VALUES (61, 1, 20, '{"tool":"shell","access":"workspace","files":[],"command":"touch a"}', 1000);
