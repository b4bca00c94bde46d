-- What was refunded of it. Refunds that were noted by a former version are not in it.
ALTER TABLE key_usage ADD COLUMN refunded BIGINT DEFAULT 0 NOT NULL;
