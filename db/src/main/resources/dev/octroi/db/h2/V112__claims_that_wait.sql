-- Until when a channel of which nothing can be claimed stands back for others, although its payer withdraws.
ALTER TABLE channel ADD COLUMN claim_not_before TIMESTAMP WITH TIME ZONE;
