-- Rows as version 0035 leaves them: a card of a member that an owner must approve, and the owner's copy.
INSERT INTO cards VALUES (52, 40, 20, 1, 10, 'asks-an-owner', 9000, 'open', NULL, 'elsewhere');
INSERT INTO held_calls (token, card_id, turn_id, call_id, position, tool, kind, summary, why, digest, approver)
VALUES ('owners-call', 52, 40, 'call_3_0', 0, 'shell', 'exec', 'cat /etc/motd', 'Full access.', 'd', 'owner');
INSERT INTO owner_copies VALUES (53, 52, 10);
