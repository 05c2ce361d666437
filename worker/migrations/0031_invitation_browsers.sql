-- The browser that a code was made for: it must not answer for the person.
ALTER TABLE invitation_codes ADD COLUMN browser TEXT;
