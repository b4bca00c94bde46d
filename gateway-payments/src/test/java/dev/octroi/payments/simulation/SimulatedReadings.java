package dev.octroi.payments.simulation;

import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.simulation.SimulatedContract.Held;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Jdbi;

/** What the nodes have read of channels, as the reader of a chain keeps it in their database. */
record SimulatedReadings(Jdbi database, SimulatedChain chain, Clock clock) {

  /** Far less than a payer waits for a withdrawal. */
  static final Duration FRESH = SimulatedContract.DELAY.dividedBy(6);

  private static final Duration AGAIN = Duration.ofSeconds(2);

  private record Reading(Held held, Instant at) {}

  /** A channel by a reading that is fresh enough; the chain is asked soon again for what is not. */
  Held of(String channel, long needed) {
    return database
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "SELECT balance, claimed, withdrawing, read_at FROM channel_reading"
                            + " WHERE id = :id")
                    .bind("id", KeyBytes.of(Voucher.NETWORK, channel))
                    .map(
                        (row, context) ->
                            new Reading(
                                new Held(row.getLong(1), row.getLong(2), row.getLong(3)),
                                row.getObject(4, OffsetDateTime.class).toInstant()))
                    .findOne())
        .filter(reading -> serves(reading, needed))
        .map(Reading::held)
        .orElseGet(() -> read(channel));
  }

  private boolean serves(Reading reading, long needed) {
    Duration holds = needed <= reading.held().spendable() ? FRESH : AGAIN;
    return clock.instant().isBefore(reading.at().plus(holds));
  }

  /** Asks the contract now, for all nodes. */
  Held read(String channel) {
    Held held = chain.contract().of(channel);
    if (held.balance() > 0) {
      database.useHandle(
          handle ->
              handle.execute(
                  "MERGE INTO channel_reading (network, id, balance, claimed, withdrawing, read_at)"
                      + " KEY (network, id) VALUES (?, ?, ?, ?, ?, ?)",
                  Voucher.NETWORK,
                  KeyBytes.of(Voucher.NETWORK, channel),
                  held.balance(),
                  held.claimed(),
                  held.withdrawing(),
                  clock.instant().atOffset(ZoneOffset.UTC)));
    }
    return held;
  }

  /** Money is put into a channel. */
  void forget(String channel) {
    database.useHandle(
        handle ->
            handle.execute(
                "DELETE FROM channel_reading WHERE id = ?", KeyBytes.of(Voucher.NETWORK, channel)));
  }
}
