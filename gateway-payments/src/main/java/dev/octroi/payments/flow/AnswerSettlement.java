package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerTooLarge;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementOverrides;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether the answer of a paid call is charged, and lets it leave. Thread-safe. */
final class AnswerSettlement {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerSettlement.class);

  /** What an answer says of its bytes as they are; one with a price more would be another. */
  private static final List<String> OF_FIXED_BYTES =
      List.of("Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5");

  private static final String TOO_LATE = "The call could not end within the life of its payment.";
  private static final String NO_ROOM = "There was no memory to keep the answer.";
  private static final String UNWRITABLE = "The answer could not be written.";

  private final Settler settler;
  private final Refusals refusals;
  private final OpenCalls openCalls;
  private final Receipts receipts;
  private final int longest;
  private final Predicate<String> priceInBody;
  private final Clock clock;

  AnswerSettlement(
      FlowSettings settings,
      Settler settler,
      Refusals refusals,
      OpenCalls openCalls,
      Receipts receipts) {
    this.receipts = receipts;
    this.settler = settler;
    this.refusals = refusals;
    this.openCalls = openCalls;
    this.longest = settings.limits().answerBytes();
    this.priceInBody = settings.priceInBody();
    this.clock = settings.clock();
  }

  /** Settles and lets the answer leave, or gives the payment back, or answers in its place. */
  void conclude(PaidCall call, OutgoingAnswer answer) {
    readCharge(call, answer);
    Receipts.closeSharedCaches(answer);
    call.incoming().permit().headers().forEach(answer::header);
    if (isMetered(call, answer) && call.leavesUnpaid()) {
      // The call stays open: the end of the stream or the sweeper, whichever is first, decides.
      receipts.reserve(call, answer);
      answer.stream(() -> {}, () -> call.charge(Usd.ZERO), () -> meteredEnd(call));
      return;
    }
    if (!openCalls.take(call)) {
      openCalls.undelivered(call);
      answer.replace(tooLate());
      return;
    }
    boolean leavesAsStream = false;
    try {
      Optional<Settlement> outcome = outcome(call, answer);
      if (outcome.isPresent()) {
        leavesAsStream = sell(call, outcome.get(), answer);
      }
    } finally {
      openCalls.concluded(call);
      if (call.owes() && !leavesAsStream) {
        call.incoming().leaves();
      } else if (!leavesAsStream) {
        call.incoming().close();
      }
    }
  }

  /** The answer of a metered call may state its charge itself. */
  private static void readCharge(PaidCall call, OutgoingAnswer answer) {
    String stated = answer.header(Payment.OVERRIDES);
    boolean metered = call.incoming().metering().isPresent() && call.settlement().isEmpty();
    if (stated == null || !metered || answer.status() >= 400) {
      return;
    }
    Usd quote = call.quote();
    Optional<Usd> charge = SettlementOverrides.charge(stated, quote, call.verified().terms());
    if (charge.isEmpty()) {
      LOG.warn(
          "{} stated a charge that cannot be read or is above its price: the price is charged",
          call.endpoint().name());
    }
    call.charge(charge.orElse(quote));
  }

  /** How moving the money went; empty if this call is not charged. */
  private Optional<Settlement> outcome(PaidCall call, OutgoingAnswer answer) {
    boolean unsettled = call.settlement().isEmpty();
    if (unsettled && (!isCharged(answer) || call.charge().isZero())) {
      if (isCharged(answer) && call.verified().terms().isUpto()) {
        receipts.nothingUsed(call, answer);
      }
      return notCharged(call, answer);
    }
    if (unsettled && clock.instant().isAfter(call.time().lastSettlement())) {
      answer.replace(tooLate());
      return notCharged(call, answer, TOO_LATE);
    }
    try {
      // What is stored is what leaves, and an answer that cannot be written is never charged.
      Optional<StoredAnswer> kept = frozen(call, answer);
      if (unsettled) {
        return Optional.of(settler.settle(call, kept));
      }
      if (call.settledEarly()) {
        kept.ifPresent(it -> settler.answered(call, it));
      }
      return call.settlement();
    } catch (CallRefused busy) {
      answer.replace(busy.answer());
      return unsettled ? notCharged(call, answer, NO_ROOM) : call.settlement();
    } catch (IOException | AnswerTooLarge e) {
      LOG.error("{} gave an answer that cannot be sold", call.endpoint().name(), e);
      answer.replace(HttpAnswer.error(500, UNWRITABLE));
      return unsettled ? notCharged(call, answer, UNWRITABLE) : call.settlement();
    }
  }

  private Optional<Settlement> notCharged(PaidCall call, OutgoingAnswer answer) {
    return notCharged(call, answer, call.incoming().failure().reason());
  }

  private Optional<Settlement> notCharged(
      PaidCall call, OutgoingAnswer answer, @Nullable String reason) {
    String upstream = call.incoming().failure().upstream();
    if (settler.giveBack(call, new ReleaseReason(answer.status(), reason, upstream))) {
      answer.header(PaymentHeaders.PAYMENT_ID, call.id());
      answer.header(PaymentHeaders.PAYMENT_STATE, PaymentHeaders.NOT_CHARGED);
    }
    return Optional.empty();
  }

  /** The bytes that will leave; empty for a stream, which is neither stored nor replayed. */
  private Optional<StoredAnswer> frozen(PaidCall call, OutgoingAnswer answer) throws IOException {
    if (answer.isStream() || !isCharged(answer)) {
      return Optional.empty();
    }
    byte[] body = bytes(call, answer);
    if (body.length > 0 && isPlainJson(answer) && priceInBody.test(call.incoming().path())) {
      body = PriceSplice.into(body, call.charge());
      answer.body(body);
    }
    return call.redelivery() == Redelivery.REREAD
        ? Optional.empty()
        : Optional.of(answer.stored(body));
  }

  /** Whatever breaks in a writer of the host, its payment is given back. */
  private byte[] bytes(PaidCall call, OutgoingAnswer answer) throws IOException {
    try {
      // What was settled before is owed, whatever memory there is.
      IncomingCall incoming = call.incoming();
      return answer.freeze(
          longest, call.settlement().isPresent() ? incoming::answerInMemory : incoming::keepAnswer);
    } catch (CallRefused e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new IOException("the answer's writer failed", e);
    }
  }

  /** True if the answer leaves as a stream, which ends the call itself. */
  private boolean sell(PaidCall call, Settlement outcome, OutgoingAnswer answer) {
    Optional<String> transaction = outcome.deliverable();
    boolean resumed = call.redelivery() == Redelivery.RESUMED;
    if (resumed && !isCharged(answer)) {
      // Whatever became of the money, the next call of the same payment runs the method again.
      settler.unanswered(call);
    }
    if (transaction.isEmpty()) {
      answer.replace(refusals.unsettled(call, outcome));
      return false;
    }
    receipts.put(call, transaction.get(), answer);
    if (resumed && !isCharged(answer)) {
      return false;
    }
    if (answer.status() >= 400 && call.redelivery() == Redelivery.REREAD) {
      // A rerun that failed may be tried again, so it does not count as delivered.
      openCalls.undelivered(call);
      return false;
    }
    if (answer.isStream()) {
      answer.stream(
          () -> openCalls.left(call), () -> settler.unbegun(call), call.incoming()::close);
      return true;
    }
    if (answer.isEmpty()) {
      openCalls.left(call);
    }
    return false;
  }

  /**
   * Whether the charge is known when the stream ends (money rule 7). The quote stays reserved until
   * then. A managed wallet is ours to sign with, so that nothing is owed when the stream ends early
   * or this node dies; a payer that signed a ceiling has the stream on {@link Credit}.
   */
  private static boolean isMetered(PaidCall call, OutgoingAnswer answer) {
    return answer.header(Payment.METERED) != null
        && answer.isStream()
        && answer.status() < 300
        && call.settlement().isEmpty()
        && (call.verified().byKey().isPresent() || call.streamsUnderCeiling());
  }

  private void meteredEnd(PaidCall call) {
    if (!openCalls.take(call)) {
      return;
    }
    try {
      if (call.charge().isZero()) {
        settler.giveBack(call, ReleaseReason.of("nothing_used"));
        return;
      }
      Settlement outcome = settler.settleDelivered(call);
      if (outcome.deliverable().isPresent()) {
        openCalls.delivered(call);
      } else {
        LOG.warn("Payment {} of a stream that was delivered: {}", call.id(), outcome);
      }
    } finally {
      openCalls.concluded(call);
      call.incoming().close();
    }
  }

  private static boolean isCharged(OutgoingAnswer answer) {
    boolean redirect = answer.status() / 100 == 3 && answer.header(Payment.CHARGED) != null;
    boolean success = answer.status() / 100 == 2;
    return redirect || (success && answer.header(Payment.UNCHARGED) == null);
  }

  private static boolean isPlainJson(OutgoingAnswer answer) {
    String stated = answer.header("Content-Type");
    boolean fixed = OF_FIXED_BYTES.stream().anyMatch(name -> answer.header(name) != null);
    if (stated == null || fixed || answer.status() == 206) {
      return false;
    }
    String[] parts = stated.toLowerCase(Locale.ROOT).replace("\"", "").split(";");
    String type = parts[0].strip();
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        return false;
      }
    }
    return type.endsWith("/json") || type.endsWith("+json");
  }

  private static HttpAnswer tooLate() {
    return HttpAnswer.error(502, TOO_LATE);
  }
}
