-- H2 writes where a column's numbers stand in a commit of its own, each time that as many as these are used up. By default
-- they are 32, so that every batch of calls waited for two commits.
ALTER TABLE journal ALTER COLUMN id SET CACHE 10000;
