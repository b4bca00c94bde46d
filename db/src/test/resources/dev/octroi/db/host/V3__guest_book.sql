CREATE TABLE guest_book (line VARCHAR(10));
