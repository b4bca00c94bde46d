-- One row, whose lock lets one purchase at a time become a lease: a number is one lease's, on however many nodes.
CREATE TABLE lease_turn (
    id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1)
);

INSERT INTO lease_turn (id) VALUES (1);

-- Effects are deleted, and those that were not done are refunded, by when they were closed.
CREATE INDEX effect_closed ON effect (closed_at);
