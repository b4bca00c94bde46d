-- Half of each new page is left to the two changes of each payment, which then leave the indexes alone.
ALTER TABLE payment SET (fillfactor = 50);
