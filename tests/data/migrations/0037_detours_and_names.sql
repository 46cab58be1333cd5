-- Rows as version 0037 leaves them: a card that was shown to nobody, and two people of one name in a group.
UPDATE cards SET unshown = 'the topic is closed' WHERE id = 52;
INSERT INTO chat_names VALUES ('telegram', '-5', '7', 'ann', 1), ('telegram', '-5', '8', 'ann', 2);
