-- What is known of a person's workspace: whether text from outside can be in it.

CREATE TABLE workspaces (
    user_id          INTEGER PRIMARY KEY REFERENCES users (id),
    inventory        TEXT,              -- digest of what the last call left; NULL: not followed any more
    outside_since_ms INTEGER,           -- since then it may hold text from outside; NULL: it never did
    outside_why      TEXT               -- found_there, changed_elsewhere, brought_in, reached_out, unreadable
) STRICT;
