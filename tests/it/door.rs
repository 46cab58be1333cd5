//! The door: groups, mentions, quotations, albums, pairing, limits and commands.
