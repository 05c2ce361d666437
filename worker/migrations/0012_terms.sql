-- What the buyer was shown beside the button: JSON of `Terms`. Empty for older purchases.
ALTER TABLE purchases ADD COLUMN terms TEXT;
