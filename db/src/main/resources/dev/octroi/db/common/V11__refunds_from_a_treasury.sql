-- Refunds that a treasury pays by itself: each by an authorization whose nonce follows from the refund's id, so that
-- the chain takes it once, however often and by however many nodes it is sent.

-- Who signed the authorization that is to pay it, and until when that holds; both from state 2 on.
ALTER TABLE refund ADD COLUMN treasury VARCHAR(128);
ALTER TABLE refund ADD COLUMN valid_before TIMESTAMP WITH TIME ZONE;
-- How often one was signed: what is proven of one authorization must not close the next.
ALTER TABLE refund ADD COLUMN attempt INTEGER DEFAULT 0 NOT NULL;
-- Why it is not paid yet, and when to look at it again; null: at once.
ALTER TABLE refund ADD COLUMN note VARCHAR(300);
ALTER TABLE refund ADD COLUMN due_at TIMESTAMP WITH TIME ZONE;

CREATE INDEX refund_state ON refund (state, due_at);
