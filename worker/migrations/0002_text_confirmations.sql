-- Translations that a person wrote or confirmed, with the English words that they fit.
CREATE TABLE text_confirmations (
  key TEXT NOT NULL,
  language TEXT NOT NULL,
  english TEXT NOT NULL,
  PRIMARY KEY (key, language)
) STRICT, WITHOUT ROWID;
