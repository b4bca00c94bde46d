package dev.octroi.payments.books;

import java.time.Instant;

/**
 * What a group of endpoints earned in a step of time.
 *
 * @param from when the step begins, UTC
 * @param group the group of endpoints; empty where the host names none
 * @param calls how many calls were paid
 * @param taken atomic units that were paid for them
 * @param givenBack atomic units of refunds, and of answers whose transactions failed in the end
 */
public record Earned(Instant from, String group, long calls, long taken, long givenBack) {}
