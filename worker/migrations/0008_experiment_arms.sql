-- Variants in the experiments that run beside the split, `headline:b,price:control`; empty for none.
ALTER TABLE accounts ADD COLUMN arms TEXT NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN arms TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN arms TEXT NOT NULL DEFAULT '';
