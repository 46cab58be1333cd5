-- Rows as version 0025 leaves them.
UPDATE inbox SET files = '[{"text":"[attached photo]","file":{"kind":"photo","reference":"1","name":null,"media_type":null,"bytes":2}}]'
 WHERE id = (SELECT min(id) FROM inbox);
