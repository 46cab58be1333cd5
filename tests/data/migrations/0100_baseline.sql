-- A database in use: every table has rows.

INSERT INTO users (id, created_ms, person, chosen_language, written_language, client_language) VALUES
    (1, 1000, NULL, 'zh-CN', 'en', 'en'),
    (2, 2000, NULL, NULL, NULL, NULL),
    (3, 3000, 110, NULL, NULL, NULL),
    (4, 3000, 110, NULL, NULL, NULL);
INSERT INTO senders (channel, sender, user_id, name, standing, direct) VALUES
    ('telegram', '101', 1, 'Ann', 'owner', '{"channel":"telegram","chat":"101"}'),
    ('telegram', '102', 2, 'Bob', 'member', NULL);
INSERT INTO chats (id, channel, chat, kind, language, closed, told_unseen) VALUES
    (10, 'telegram', '101', 'direct', 'en', 0, 0);
INSERT INTO sessions (id, chat_id, thread, autonomy, since_seq, ended_seq, lease_owner, lease_fence, lease_until_ms, model, title, background) VALUES
    (20, 10, '', NULL, 0, 1, NULL, 0, 0, 'main/large', NULL, 0);
INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address, message, said, untrusted, album, answers, role, ready_ms, state, turn_id, stored_ms, sender, files, while_busy, dropped_by) VALUES
    (30, 'telegram', 'message', '101/1', 0, 20, 1, '{"channel":"telegram","chat":"101"}', '1', 'hello', 0, NULL, NULL, 'member', 1000, 'heard', 40, 1000, '101', '[{"text":"[attached photo]","file":{"kind":"photo","reference":"1","name":null,"media_type":null,"bytes":2}}]', 'queue', 41);
INSERT INTO jobs (session_id, id, user_id, origin, due_ms, payload) VALUES
    (20, 31, 1, 'chain', 9000, '{"address":{"channel":"telegram","chat":"101"},"request":"do it","role":"owner","payload":[]}');
INSERT INTO turns (id, session_id, user_id, address, reply_to, request, role, state, resumes, handed_over, stop_by, stop_background, started_ms, ended_ms, ended_seq, spent_tokens, spent_micros, autonomy, episode_id, to_learn, forgotten, worked_ms) VALUES
    (40, 20, 1, '{"channel":"telegram","chat":"101"}', NULL, 'hello', 'member', 'ended', 0, 0, NULL, 0, 1000, 1100, 1, 220, 42, 'supervised', NULL, 1, 1, 1200),
    (41, 20, 1, '{"channel":"telegram","chat":"101"}', NULL, 'and now', 'member', 'parked', 0, 0, NULL, 0, 9000, NULL, NULL, 0, 0, 'read_only', NULL, 0, 0, 0);
INSERT INTO cards (id, turn_id, session_id, user_id, chat_id, token, expires_ms, state, why_by, approved_in, unshown, claim, timeout_ms, one_by_one, asked_again) VALUES
    (50, 40, 20, 1, 10, 'card-token', 9000, 'closed', NULL, 'here', NULL, 'I look at what is there', 1800000, 0, 0),
    (51, 40, 20, 1, 10, 'asks-why', 9000, 'open', 1, 'here', NULL, NULL, 1800000, 1, 0),
    (52, 40, 20, 1, 10, 'asks-an-owner', 9000, 'open', NULL, 'elsewhere', 'the topic is closed', NULL, 1800000, 0, 1);
INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, summary, why, digest, pattern, verdict, verdict_by, verdict_ms, used_ms, kind, prefix, verdict_why, approver, owners_why, footer, grant_id, granted_alike, taken_back) VALUES
    ('call-token', 50, 40, 'call_1_0', 0, 'shell', 'ls', 'It runs a command.', 'digest', NULL, NULL, NULL, NULL, NULL, 'exec', NULL, NULL, 'asker', NULL, 'Only in your folder', 61, 0, 0),
    ('denied-call', 51, 40, 'call_2_0', 0, 'shell', 'cargo test', 'Runs a command.', 'd', NULL, 'denied', 1, 8000, NULL, 'exec', NULL, NULL, 'asker', NULL, NULL, NULL, 0, 1),
    ('owners-call', 52, 40, 'call_3_0', 0, 'shell', 'cat /etc/motd', 'Full access.', 'd', NULL, NULL, NULL, NULL, NULL, 'exec', NULL, NULL, 'owner', NULL, NULL, NULL, 0, 0);
INSERT INTO grants (id, user_id, session_id, pattern, created_ms) VALUES
    (61, 1, 20, '{"tool":"shell","access":"workspace","files":[],"command":"touch a"}', 1000);
INSERT INTO questions (id, turn_id, session_id, user_id, request, question, choices, asked, expires_ms, state, untrusted, inquiry) VALUES
    (70, 40, 20, 1, 'do it', 'What?', '[]', 1, 9000, 'open', 0, '{"text":"","questions":[{"question":"What?","choices":["a","b"]}],"answers":[]}');
INSERT INTO outbox (id, channel, address, turn_id, purpose, subject, edits, part, state, resent, message, why, created_ms, sent_ms, detour) VALUES
    (80, 'telegram', '{"channel":"telegram","chat":"101"}', 40, 'final', NULL, NULL, '{"text":"hi"}', 'sent', 0, NULL, NULL, 1100, NULL, 0);
INSERT INTO pairing_codes (code, purpose, expires_ms) VALUES
    ('ABCDEFGH', 'owner', 9000);
INSERT INTO pollers (token, owner, until_ms) VALUES
    ('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'process-7-8 telegram', 9000);
INSERT INTO link_codes (user_id, code, name, address, expires_ms) VALUES
    (1, 'HGFEDCBA', 'Ann', '{"channel":"telegram","chat":"101"}', 9000);
INSERT INTO link_tries (user_id, wrong, since_ms) VALUES
    (2, 3, 1000);
INSERT INTO link_requests (id, wish, state) VALUES
    (120, 'join', 'open');
INSERT INTO link_sides (id, request_id, user_id, chat_id, name, confirmed_ms) VALUES
    (130, 120, 1, 10, 'Ann', 1000),
    (131, 120, 2, 10, 'Bob', NULL);
INSERT INTO audit (seq, at_ms, event, turn_id, session_id, chat_id, user_id, call_id, tool, decision, decided_by, outcome, digest, hash) VALUES
    (1, 5000, 'called', 50, 20, 10, 1, 'call_1_0', 'shell', 'approved', 'user 1', NULL, 'abab', 'cdcd'),
    (2, 5001, 'returned', 50, 20, 10, 1, 'call_1_0', 'shell', NULL, NULL, 'success', NULL, 'efef');
INSERT INTO audit_payloads (seq, user_id, salt, payload) VALUES
    (1, 1, x'0102', '{"command":"ls"}');
INSERT INTO usage (user_id, day, session_id, routine, calls, prompt_tokens, cached_tokens, completion_tokens, estimated_tokens, unpriced_tokens, micros, open_tokens, open_micros) VALUES
    (1, '2026-11-21', 20, '', 2, 200, 50, 20, 0, 0, 42, 0, 0),
    (1, '2026-11-24', 20, '', 2, 300, 0, 30, 0, 0, 60, 40, 5),
    (2, '2026-11-21', 20, 'morning', 1, 100, 0, 10, 110, 110, 0, 90, 0);
INSERT INTO budget_days (user_id, day, scope, routine, percent, told_ms, refused_ms) VALUES
    (2, '2026-11-21', 'user', '', 150, 1000, NULL);
INSERT INTO workspaces (user_id, inventory, outside_since_ms, outside_why) VALUES
    (1, 'a digest', NULL, NULL),
    (2, NULL, 1000, 'brought_in');
INSERT INTO erasures (id, user_id, chat_id, address, state, users, wanted_ms, traces) VALUES
    (120, 1, 10, '{"channel":"telegram","chat":"101"}', 'done', '[1]', 1000, NULL);
INSERT INTO journal (row, turn_id, seq, kind, body, at_ms) VALUES
    (1, 40, 0, 'started', '{"entry":"started","history_cursor":0}', 1000),
    (2, 40, 1, 'heard', '{"entry":"heard","messages":[{"inbox":30,"text":"hello"}]}', 1000),
    (3, 40, 2, 'ended', '{"entry":"ended","outcome":{"kind":"replied","text":"hi"}}', 1100);
INSERT INTO embedders (id, name, dimension) VALUES
    (1, 'small', 2);
INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms, taint, topic, source, confidence, valid_from_ms, valid_until_ms, superseded_by, superseded_ms, recalled_ms, recalls) VALUES
    (100, 'user', 1, 'fact', 'likes oolong tea', 40, 1100, 1100, NULL, NULL, 'told', 100, NULL, NULL, NULL, NULL, NULL, 0),
    (101, 'user', 1, 'episode', 'list my files → Two files.', 40, 1200, 1200, '[{"way":"here","origin":{"tool":{"name":"shell","arguments":"{\"command\":\"ls\"}"}}}]', NULL, NULL, 100, NULL, NULL, NULL, NULL, NULL, 0),
    (1010, 'user', 1, 'fact', 'lives in Oslo', 40, 1100, 1100, NULL, 'profile', 'learned', 70, 1100, NULL, 100, 1200, NULL, 2);
INSERT INTO memory_vectors (owner_kind, owner_id, embedder_id, memory_id, scale, bytes) VALUES
    ('user', 1, 1, 100, 0.5, x'017f');
INSERT INTO tombstone_keys (owner_kind, owner_id, key) VALUES
    ('user', 1, x'00');
INSERT INTO tombstones (id, owner_kind, owner_id, user_id, words, telling, buried_ms) VALUES
    (130, 'user', 1, 1, 1, 0, 1300);
INSERT INTO tombstone_words (word, tombstone_id) VALUES
    (-7, 130);
INSERT INTO stretches (id, session_id, owner_kind, owner_id, lines, last_ms, merged) VALUES
    (70, 20, 'user', 1, 1, 1100, 0);
INSERT INTO lines (id, owner_kind, owner_id, turn_id, user_id, stretch_id, place, at_ms, taint) VALUES
    (40, 'user', 1, 40, 1, 70, 0, 1100, NULL);
INSERT INTO reindexing (name, spelling, done_id, until_id) VALUES
    ('turns', 0, 0, 41),
    ('memories', 2, 0, 1010),
    ('lines', 2, 0, 40);
INSERT INTO profiles (user_id, text, written_ms) VALUES
    (1, 'I live in Bern.', 9000);
INSERT INTO lessons (session_id, user_id, due_ms, tries) VALUES
    (20, 1, 9000, 0);
INSERT INTO skills_off (owner_kind, owner_id, name, off_ms) VALUES
    ('chat', 1, 'debugging', 9000),
    ('user', 1, 'learning', 9000);
INSERT INTO skill_pins (owner_kind, owner_id, name, hash, kept, pinned_ms) VALUES
    ('all', 0, 'tea', 'abc', '{}', 9000),
    ('user', 1, 'ink', 'def', '{}', 9000);
INSERT INTO accepted_instructions (project, path, hash, accepted_ms) VALUES
    ('site', 'AGENTS.md', 'abc', 9000);
INSERT INTO skill_reviews (id, wish, source, user_id, chat_id, address, place_kind, place_id, owner_kind, owner_id, name, hash, kept, state) VALUES
    (150, 'install', '/srv/tea', 1, 10, '{}', 'user', 1, 'all', 0, 'tea', 'abc', '{}', 'expired');
INSERT INTO changed_settings (id, key, value, user_id, at_ms, undone_by, undone_ms) VALUES
    (150, 'agent.routing', 'auto', 1, 9000, NULL, NULL);
INSERT INTO routines (id, user_id, role, chat_id, session_id, address, kind, schedule, zone, anchor_ms, prompt, taint, enabled, created_ms, changed_ms, due_ms, next_ms, last_ms, source, looked_ms) VALUES
    (160, 1, 'owner', 10, 20, '{"channel":"telegram","chat":"101"}', 'turn', '0 9 * * 1-5', 'Europe/Berlin', 9000, 'look at the mail', NULL, 1, 9000, 9000, 10000, 10000, NULL, NULL, NULL),
    (161, 1, 'owner', 10, 20, '{"channel":"telegram","chat":"101"}', 'turn', '', 'Europe/Berlin', 9000, 'add up what is new', NULL, 1, 9000, 9000, NULL, 10000, NULL, '{"kind":"file","glob":"*.csv"}', 9000);
INSERT INTO routine_runs (id, routine_id, occurrence, due_ms, state, created_ms, ended_ms) VALUES
    (162, 160, '9500', 9500, 'done', 9500, 9600);
INSERT INTO routine_events (id, routine_id, key, at_ms, text, run_id) VALUES
    (163, 161, 'file:a.csv@9400', 9400, '`a.csv` (1 bytes)', NULL);
INSERT INTO routine_told (routine_id, key, told_ms) VALUES
    (160, 'mail 1', 9600);
INSERT INTO compactions (id, session_id, until_seq, text, taint, turns) VALUES
    (170, 20, 1, 'Ann wants tea.', '[]', '[]'),
    (171, 20, 1, 'Ann wants tea.', '[]', '[]');
INSERT INTO compacting (session_id, user_id, address, asked, due_ms, tries, version, unanswered) VALUES
    (20, 1, '{}', 0, 9000, 0, 1, 2);
INSERT INTO queued_notices (id, session_id, user_id) VALUES
    (180, 20, 1);
INSERT INTO undos (id, turn_id, user_id, address, reply_to, state, redo_by, notice) VALUES
    (191, 40, 1, '{}', NULL, 'open', NULL, NULL),
    (193, 40, 1, '{}', NULL, 'redo', 1, 'Undone: b');
INSERT INTO file_changes (id, turn_id, call_id, path, was, content, mode, becomes, own, undone_by) VALUES
    (190, 40, 'call_1_0', 'a', '00', x'6f6c64', 420, '11', 1, NULL),
    (192, 40, 'call_1_1', 'b', NULL, NULL, NULL, '11', 1, 193);
INSERT INTO undone_files (undo_id, path, was, content, mode, own) VALUES
    (193, 'b', '11', x'6e6577', 420, 1);
INSERT INTO seen_files (session_id, path, user_id, digest, seen_ms) VALUES
    (20, '/srv/site/a', 1, '11', 9000);
INSERT INTO owner_copies (id, card_id, chat_id) VALUES
    (53, 52, 10);
INSERT INTO chat_names (channel, chat, sender, name, mark) VALUES
    ('telegram', '-5', '7', 'ann', 1),
    ('telegram', '-5', '8', 'ann', 2);
INSERT INTO processes (id, turn_id, call_id, session_id, user_id, command, started_ms, until_ms, stop_ms, ended_ms, ended, told) VALUES
    (410, 40, 'call_0', 20, 1, 'sleep 4242', 9000, 10000, NULL, NULL, NULL, 0);
INSERT INTO memory_words (rowid, words) VALUES (100, 'p00000000000000000001tea');
INSERT INTO line_words (rowid, words) VALUES (141, 'p00000000000000000001cake');
INSERT INTO prompts (id, kind, token, chat_id, session_id, user_id, audience, subject, payload, state, expires_ms, answered_by, answered_ms) VALUES
    (420, 'forget', 'a-token', 10, NULL, 1, 'user', NULL, '{}', 'answered', 9000, 1, 8000),
    (421, 'question', 'question-token', NULL, 20, 1, 'user', 70, '{}', 'open', 9000, NULL, NULL);
