-- Effects of unknown outcome are asked about at their vendors, again and again.

-- What the vendor told beside its reference, in the form of its connector.
ALTER TABLE effect ADD COLUMN details VARCHAR(4000);
-- Why it was not done, or how it was closed by hand.
ALTER TABLE effect ADD COLUMN note VARCHAR(300);
-- How often its vendor was asked in vain, and when to ask again; null: as soon as its call is over.
ALTER TABLE effect ADD COLUMN tries INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE effect ADD COLUMN due_at TIMESTAMP WITH TIME ZONE;

CREATE INDEX effect_outcome ON effect (outcome, begun_at);
