-- A turn goes on at the level that it began at, or at a stricter one.

ALTER TABLE turns ADD COLUMN autonomy TEXT; -- read_only, supervised, full; NULL: a turn from before
