-- 1 when a session of the current epoch was opened without the mailbox; the next sign-in by mail ends it.
ALTER TABLE accounts ADD COLUMN entered_without_mailbox INTEGER NOT NULL DEFAULT 1;
