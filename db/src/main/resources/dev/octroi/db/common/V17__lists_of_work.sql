-- Leases, calls and jobs are listed for the operator, the latest first, a page at a time.
CREATE INDEX lease_bought ON lease (bought_at, id);
CREATE INDEX voice_call_placed ON voice_call (placed_at, id);
CREATE INDEX image_job_created ON image_job (created_at, id);
