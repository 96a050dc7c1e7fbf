-- Whose a sign-in is, so that people see and end their own. Those from before are named with their next use.
ALTER TABLE sign_in ADD COLUMN person TEXT NOT NULL DEFAULT '';
CREATE INDEX sign_in_person ON sign_in (person);
