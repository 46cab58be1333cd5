-- Rows as version 0001 leaves them, so that every later migration meets a database in use.
INSERT INTO users VALUES (1, 1000), (2, 2000);
INSERT INTO senders VALUES ('telegram', '101', 1, 'Ann', 'owner', '{"channel":"telegram","chat":"101"}');
INSERT INTO senders VALUES ('telegram', '102', 2, 'Bob', 'member', NULL);
INSERT INTO chats (id, channel, chat, kind, language) VALUES (10, 'telegram', '101', 'direct', 'en');
INSERT INTO sessions (id, chat_id, ended_seq) VALUES (20, 10, 1);
INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address, message, said,
                   ready_ms, state, turn_id, stored_ms)
VALUES (30, 'telegram', 'message', '101/1', 0, 20, 1, '{"channel":"telegram","chat":"101"}', '1', 'hello',
        1000, 'heard', 40, 1000);
INSERT INTO turns (id, session_id, user_id, address, request, state, started_ms, ended_ms, ended_seq)
VALUES (40, 20, 1, '{"channel":"telegram","chat":"101"}', 'hello', 'ended', 1000, 1100, 1);
INSERT INTO journal VALUES (40, 0, 'started', '{"entry":"started","history_cursor":0}', 1000);
INSERT INTO journal VALUES (40, 1, 'heard', '{"entry":"heard","messages":[{"inbox":30,"text":"hello"}]}', 1000);
INSERT INTO journal VALUES (40, 2, 'ended', '{"entry":"ended","outcome":{"kind":"replied","text":"hi"}}', 1100);
INSERT INTO cards VALUES (50, 40, 20, 1, 10, 'card-token', 9000, 'closed');
INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, summary, why, digest)
VALUES ('call-token', 50, 40, 'call_1_0', 0, 'shell', 'ls', 'It runs a command.', 'digest');
INSERT INTO grants VALUES (60, 1, 20, '{"tool":"shell","command":"date"}', 1000);
INSERT INTO questions VALUES (70, 40, 20, 1, 'do it', 'What?', '[]', 'question-token', 1, 9000, 'open');
INSERT INTO outbox (id, channel, address, turn_id, purpose, part, state, created_ms)
VALUES (80, 'telegram', '{"channel":"telegram","chat":"101"}', 40, 'final', '{"text":"hi"}', 'sent', 1100);
INSERT INTO pairing_codes VALUES ('ABCDEFGH', 'owner', 9000);
INSERT INTO admissions VALUES (90, 'admission-token', 'telegram', '103', 'Cid', '{"channel":"telegram","chat":"103"}', 9000, 'open');
