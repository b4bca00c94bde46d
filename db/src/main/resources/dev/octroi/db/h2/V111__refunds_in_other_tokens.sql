-- By which nonce the treasury has signed for a refund, as keys of payments have it: its form tells how the token moves. Null
-- where it has not, and where a former version did, always by the token's own authorizations.
ALTER TABLE refund ADD COLUMN nonce BYTEA;
