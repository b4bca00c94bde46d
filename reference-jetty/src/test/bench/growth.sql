-- Fills the ledger with :size payments that were settled and delivered in the last month, each with its line in the journal.
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
SET synchronous_commit = off;
INSERT INTO payment (id, network, payer, nonce, state, attempt, node, epoch, method, path, query, body_hash, envelope_hash, amount, asset, pay_to,
    valid_before, claimed_at, settled_at, tx, delivered, delivered_at, redelivery)
SELECT gen_random_uuid(), 'eip155:84532', substring(sha256(('payer' || i % 10000)::bytea) FOR 20), sha256(('nonce' || i)::bytea), 'SETTLED', 1,
    'seed', 1, 'GET', '/v1/marketplace/prediction/venue-a/markets', 'limit=1', sha256(''), sha256(i::text::bytea), 1000,
    '0x036CbD53842c5426634e7929541eC2318f3dCF7e', '0x0000000000000000000000000000000000008402', at + INTERVAL '5 min', at, at, 'sandbox:' || i, TRUE, at, 'REREAD'
FROM (SELECT i, now() - INTERVAL '30 days' + i * (INTERVAL '29 days' / :size) AS at FROM generate_series(1, :size) AS i) AS seeds;
INSERT INTO journal (at, payment_id, debit, credit, amount) SELECT claimed_at, id, 1, 2, amount FROM payment;
CHECKPOINT;
VACUUM (ANALYZE) payment;
VACUUM (ANALYZE) journal;
