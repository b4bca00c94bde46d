-- H2 alone needs it.
SELECT 1;
