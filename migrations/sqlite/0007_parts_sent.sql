-- How many of a reply's parts the user has for certain. Of a reply that was cut short before, one is known to have left.
ALTER TABLE reply ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
UPDATE reply SET sent = CASE cut WHEN 0 THEN json_array_length(parts) ELSE 1 END WHERE status = 'DELIVERED';
