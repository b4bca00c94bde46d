package dev.octroi.payments.account;

import dev.octroi.payments.Usd;
import java.time.LocalDate;
import java.util.UUID;

/**
 * What a key bought in a group on a day; only what was charged counts.
 *
 * @param day UTC, of the moment when the call began
 * @param key the key
 * @param group word of the group; empty where the host names none
 * @param calls how many were charged
 * @param spend what they cost together
 */
public record UsageLine(LocalDate day, UUID key, String group, long calls, Usd spend) {}
