-- The files that a message announces, as JSON: they are fetched by the turn that takes it.
ALTER TABLE inbox ADD COLUMN files TEXT;
