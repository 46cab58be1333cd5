-- Who listens with which token: one listener at a time, so that two do not take each other's messages.

CREATE TABLE pollers (
    token    TEXT PRIMARY KEY,          -- SHA-256 of the token, in hex; the token itself is not kept
    owner    TEXT NOT NULL,             -- the process and its channel
    until_ms INTEGER NOT NULL           -- the lease ends here unless it is prolonged
) STRICT;
