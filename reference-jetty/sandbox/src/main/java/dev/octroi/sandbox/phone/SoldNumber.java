package dev.octroi.sandbox.phone;

/**
 * A number that a customer has bought.
 *
 * @param sid the vendor's id of it
 * @param name that its buyer gave it
 */
record SoldNumber(String sid, String number, String name) {}
