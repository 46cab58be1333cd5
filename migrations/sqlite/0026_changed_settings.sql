-- What owners changed of the configuration in chat. The newest row of a key that was not undone is laid
-- over what the operator wrote; the file stays as it is.
CREATE TABLE changed_settings (
    id        INTEGER PRIMARY KEY,
    key       TEXT NOT NULL,            -- the dotted key
    value     TEXT NOT NULL,            -- as an environment variable would give it
    user_id   INTEGER REFERENCES users (id), -- who changed it; NULL: somebody who was erased
    at_ms     INTEGER NOT NULL,
    undone_by INTEGER REFERENCES users (id),
    undone_ms INTEGER
) STRICT;
CREATE INDEX changed_settings_in_force ON changed_settings (key, id) WHERE undone_ms IS NULL;
