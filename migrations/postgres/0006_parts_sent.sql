-- How many of a reply's parts the user has for certain. Of a reply that was cut short before, one is known to have left.
ALTER TABLE reply ADD COLUMN sent bigint NOT NULL DEFAULT 0;
UPDATE reply SET sent = CASE WHEN cut THEN 1 ELSE json_array_length(parts::json) END WHERE status = 'DELIVERED';
