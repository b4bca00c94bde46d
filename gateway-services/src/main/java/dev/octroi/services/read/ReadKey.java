package dev.octroi.services.read;

/**
 * Two reads with equal keys get the same answer. The row is part of it because two rows may ask the
 * same of the upstream and make different records of it.
 */
record ReadKey(String row, Arguments arguments) {}
