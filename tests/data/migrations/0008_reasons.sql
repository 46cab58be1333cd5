-- Rows as version 0008 leaves them.
INSERT INTO cards VALUES (51, 40, 20, 1, 10, 'asks-why', 9000, 'open', 1);
INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, kind, summary, why, digest,
                        pattern, prefix, verdict, verdict_by, verdict_ms, verdict_why)
VALUES ('denied-call', 51, 40, 'call_2_0', 0, 'shell', 'exec', 'cargo test', 'Runs a command.', 'd',
        '{"tool":"shell","command":"cargo test"}', '{"tool":"shell","prefix":"cargo test"}',
        'denied', 1, 8000, NULL);
