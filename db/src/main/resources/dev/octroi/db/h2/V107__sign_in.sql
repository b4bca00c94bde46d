-- The wallet and the request that a kept answer is for, as one hash: who signs in with that wallet and sends that request
-- again has it again. Null where answers are not kept for that.
ALTER TABLE stored_answer ADD COLUMN reader BYTEA;

CREATE INDEX stored_answer_reader ON stored_answer (reader);

-- Nonces that wallets have signed in by: each counts once, on one node. What is given out and never used has no row.
CREATE TABLE sign_in_nonce (
    nonce   UUID                     NOT NULL PRIMARY KEY,
    used_by UUID                     NOT NULL, -- the call, which may be written twice where a commit's outcome is unknown
    used_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX sign_in_nonce_used_at ON sign_in_nonce (used_at);
