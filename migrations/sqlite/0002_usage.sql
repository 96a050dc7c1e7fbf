-- What a model was asked for each reply, in tokens; what it read from its provider's cache is part of the input.
ALTER TABLE reply ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reply ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reply ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
-- Whether a part of the counts is our own estimate.
ALTER TABLE reply ADD COLUMN tokens_estimated INTEGER NOT NULL DEFAULT 0;
