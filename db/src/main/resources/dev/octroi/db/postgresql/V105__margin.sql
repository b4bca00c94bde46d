-- How many of the calls an upstream was asked for: what its vendor may charge.
ALTER TABLE call_outcome ADD COLUMN asked BIGINT DEFAULT 0 NOT NULL;

-- What a final transaction has cost, in the smallest unit of its chain's own coin, as its receipt says; null before it is
-- final, and where a version that did not write it down has ended it.
ALTER TABLE chain_tx ADD COLUMN fee NUMERIC(38);

CREATE INDEX chain_tx_created_at ON chain_tx (created_at);
