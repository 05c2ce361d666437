-- Old rows are deleted by their time.
CREATE INDEX intros_at ON intros (at);
