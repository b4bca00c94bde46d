package dev.octroi.api.operator;

import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.JournalLine;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.PaymentRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment as it is shown, with its timeline; the journal is null in lists.
 *
 * @param state claimed, settling, settled, failed, released or in_doubt
 * @param amount what it is for
 * @param charged what was charged if that is less
 * @param refunded the sum of its refunds, paid or not; null without one
 * @param refundOwed whether one of them is not paid yet
 * @param status HTTP status of the answer that was not charged; null if there is none
 * @param upstream the upstream that was asked last for that answer; null if none was
 */
record PaymentView(
    UUID id,
    String state,
    String network,
    String payer,
    String nonce,
    Usd amount,
    @Nullable Usd charged,
    String asset,
    String payTo,
    @Nullable UUID key,
    @Nullable String group,
    String method,
    String path,
    @Nullable String requestId,
    @Nullable String transaction,
    @Nullable String reason,
    @Nullable Integer status,
    @Nullable String upstream,
    @Nullable Usd refunded,
    boolean refundOwed,
    boolean delivered,
    int attempt,
    Instant validBefore,
    List<Event> timeline,
    @Nullable List<Movement> journal) {

  record Event(Instant at, String what) {}

  record Movement(Instant at, String debit, String credit, Usd amount) {}

  static PaymentView of(PaymentRecord payment) {
    return of(payment, null);
  }

  static PaymentView with(PaymentRecord payment, List<JournalLine> journal) {
    return of(
        payment,
        journal.stream()
            .map(
                line ->
                    new Movement(line.at(), line.debit(), line.credit(), new Usd(line.amount())))
            .toList());
  }

  private static PaymentView of(PaymentRecord payment, @Nullable List<Movement> journal) {
    return new PaymentView(
        payment.id(),
        word(payment.state()),
        payment.key().network(),
        payment.key().payer(),
        payment.key().nonce(),
        new Usd(payment.amount()),
        dollars(payment.charged()),
        payment.asset(),
        payment.payTo(),
        payment.apiKey(),
        payment.group(),
        payment.method(),
        payment.path(),
        payment.requestId(),
        payment.transaction(),
        payment.reason(),
        payment.status(),
        payment.upstream(),
        dollars(payment.refunded()),
        payment.refundOwed(),
        payment.delivered(),
        payment.attempt(),
        payment.times().validBefore(),
        timeline(payment),
        journal);
  }

  private static @Nullable Usd dollars(@Nullable Long micros) {
    return micros == null ? null : new Usd(micros);
  }

  private static List<Event> timeline(PaymentRecord payment) {
    PaymentRecord.Times times = payment.times();
    List<Event> events = new ArrayList<>();
    add(events, times.claimed(), "claimed");
    add(events, times.settling(), "settling");
    add(events, payment.doubtSince(), "in doubt");
    add(events, times.settled(), "settled");
    add(events, times.closed(), payment.state().equals("RELEASED") ? "released" : "failed");
    add(events, times.delivered(), "delivered");
    // A stable sort: what happened in one commit stays in the order of the states.
    events.sort(Comparator.comparing(Event::at));
    return events;
  }

  private static void add(List<Event> events, @Nullable Instant at, String what) {
    if (at != null) {
      events.add(new Event(at, what));
    }
  }

  private static String word(String state) {
    return state.toLowerCase(java.util.Locale.ROOT);
  }
}
