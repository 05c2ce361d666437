-- A scheduled publication is a change and no longer whole documents, so that several can wait and other publications
-- stay. The columns base and documents stay for the previous build; new rows leave them empty. The default fits no
-- document, so a publication that the previous build scheduled is refused and its editor schedules it again.
ALTER TABLE scheduled_publications
ADD COLUMN changes TEXT NOT NULL DEFAULT '[{"path":["the version of this site"],"before":1}]';
