-- A scheduled publication is a change and no longer whole documents, so that several can wait and other publications stay.
ALTER TABLE scheduled_publications ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';
UPDATE scheduled_publications SET state = 'refused', note = 'An upgrade came between. Schedule it again.'
WHERE state = 'waiting';
ALTER TABLE scheduled_publications DROP COLUMN documents;
ALTER TABLE scheduled_publications DROP COLUMN base;
