package dev.octroi.payments.account;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

/**
 * Which usage to list.
 *
 * @param account whose
 * @param key of which key; empty: of all the account's
 * @param from the first day, UTC
 * @param to the last day, included
 */
public record UsageQuery(UUID account, Optional<UUID> key, LocalDate from, LocalDate to) {}
