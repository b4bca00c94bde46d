-- The transaction that an operator stated for a refund pays no other. Null where the gateway sent it, and where a former
-- version noted it.
ALTER TABLE refund ADD COLUMN stated_tx VARCHAR(128) UNIQUE;

-- What is looked for again and again, in tables that grow: old transfers, those that have ended, the calls of one account,
-- old approvals, and channels that owe something.
CREATE INDEX netting_closed ON netting (closed_at);
CREATE INDEX netting_paid ON netting (paid, begun_at);
CREATE INDEX owed_payer ON owed (network, payer);
CREATE INDEX sponsored_approval_given ON sponsored_approval (given_at);
CREATE INDEX channel_owing ON channel (unclaimed_since);
