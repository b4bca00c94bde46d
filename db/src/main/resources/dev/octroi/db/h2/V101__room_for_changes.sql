-- PostgreSQL alone fills pages by a factor; the number is taken so that both databases have the same versions.
SELECT 1;
