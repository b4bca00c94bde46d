-- An answer that leaves while its transaction is still on its way: the payment stays settling, belongs to no call any
-- more, and is listed as undecided until the chain has spoken (money rule 11).
ALTER TABLE payment ADD COLUMN sent BOOLEAN DEFAULT FALSE NOT NULL;

-- When an undecided payment is to be looked at next; null is now.
ALTER TABLE doubt ADD COLUMN ask_at TIMESTAMP WITH TIME ZONE;

-- 4 losses: answers given for transactions that failed in the end. Which kinds there are is said by the code.
EXECUTE IMMEDIATE (
    SELECT 'ALTER TABLE book_account DROP CONSTRAINT "' || t.constraint_name || '"'
    FROM information_schema.table_constraints t
    JOIN information_schema.check_constraints c
        ON c.constraint_schema = t.constraint_schema AND c.constraint_name = t.constraint_name
    WHERE t.table_name = 'BOOK_ACCOUNT' AND t.table_schema = CURRENT_SCHEMA AND c.check_clause LIKE '%KIND%');
ALTER TABLE book_account ADD CONSTRAINT book_account_kind CHECK (kind BETWEEN 1 AND 9);

-- What any node does from time to time, once for all of them (db-scheduler's own table).
CREATE TABLE scheduled_tasks (
    task_name            VARCHAR(100)             NOT NULL,
    task_instance        VARCHAR(100)             NOT NULL,
    task_data            BLOB,
    execution_time       TIMESTAMP WITH TIME ZONE NOT NULL,
    picked               BOOLEAN                  NOT NULL,
    picked_by            VARCHAR(100),
    last_success         TIMESTAMP WITH TIME ZONE,
    last_failure         TIMESTAMP WITH TIME ZONE,
    consecutive_failures INT,
    last_heartbeat       TIMESTAMP WITH TIME ZONE,
    version              BIGINT                   NOT NULL,
    priority             SMALLINT,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX scheduled_tasks_execution_time ON scheduled_tasks (execution_time);
CREATE INDEX scheduled_tasks_last_heartbeat ON scheduled_tasks (last_heartbeat);
