package dev.octroi.payments.gate;

import dev.octroi.payments.Payments;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerTooLarge;
import dev.octroi.payments.ledger.StoredAnswer;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status.Family;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response side of a paid call: decides whether its answer is charged and leaves. Thread-safe.
 */
final class AnswerGate {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerGate.class);

  private final Settler settler;
  private final Refusals refusals;
  private final OpenCalls openCalls;
  private final Receipts receipts;
  private final AnswerBytes bytes;
  private final Metering metering;
  private final Clock clock;

  AnswerGate(
      GateSettings settings,
      Settler settler,
      Refusals refusals,
      OpenCalls openCalls,
      Receipts receipts) {
    this.receipts = receipts;
    this.settler = settler;
    this.refusals = refusals;
    this.openCalls = openCalls;
    this.bytes = new AnswerBytes(settings.limits().answerBytes(), settings.priceInBody());
    this.clock = settings.clock();
    this.metering = new Metering(settler, receipts, openCalls);
  }

  /** Settles and lets the answer leave, or gives the payment back, or answers in its place. */
  void conclude(PaidCall call, ContainerResponseContext response, Providers providers) {
    if (Metering.concerns(call, response)) {
      metering.begin(call, response);
      return;
    }
    if (!openCalls.take(call)) {
      openCalls.undelivered(call);
      Answers.replace(response, tooLate());
      return;
    }
    boolean leavesAsStream = false;
    try {
      Optional<Settlement> outcome = outcome(call, response, providers);
      if (outcome.isPresent()) {
        leavesAsStream = sell(call, outcome.get(), response);
      }
    } finally {
      openCalls.concluded(call);
      if (!leavesAsStream) {
        call.incoming().close();
      }
    }
  }

  /** How moving the money went; empty if this call is not charged. */
  private Optional<Settlement> outcome(
      PaidCall call, ContainerResponseContext response, Providers providers) {
    boolean unsettled = call.settlement().isEmpty();
    if (unsettled && !isCharged(response)) {
      return notCharged(call);
    }
    if (unsettled && clock.instant().isAfter(call.time().lastSettlement())) {
      Answers.replace(response, tooLate());
      return notCharged(call);
    }
    try {
      // What is stored is what leaves, and an entity that cannot be written is never charged.
      Optional<StoredAnswer> answer = frozen(call, response, providers);
      if (unsettled) {
        return Optional.of(settler.settle(call, answer));
      }
      if (call.settledEarly()) {
        answer.ifPresent(kept -> settler.answered(call, kept));
      }
      return call.settlement();
    } catch (IOException | AnswerTooLarge e) {
      LOG.error("{} gave an answer that cannot be sold", call.method().name(), e);
      Answers.replace(response, FlatErrors.of(500, "The answer could not be written."));
      return unsettled ? notCharged(call) : call.settlement();
    }
  }

  private Optional<Settlement> notCharged(PaidCall call) {
    settler.giveBack(call);
    return Optional.empty();
  }

  /** The bytes that will leave; empty for a stream, which is neither stored nor replayed. */
  private Optional<StoredAnswer> frozen(
      PaidCall call, ContainerResponseContext response, Providers providers) throws IOException {
    if (response.getEntity() instanceof StreamingOutput || !isCharged(response)) {
      return Optional.empty();
    }
    byte[] body = bytes.freeze(call, response, providers);
    return call.redelivery() == Redelivery.REREAD
        ? Optional.empty()
        : Optional.of(Answers.stored(response, body));
  }

  /** True if the answer leaves as a stream, which ends the call itself. */
  private boolean sell(PaidCall call, Settlement outcome, ContainerResponseContext response) {
    Optional<String> transaction = outcome.deliverable();
    boolean resumed = call.redelivery() == Redelivery.RESUMED;
    if (resumed && !isCharged(response)) {
      // Whatever became of the money, the next call of the same payment runs the method again.
      settler.unanswered(call);
    }
    if (transaction.isEmpty()) {
      Answers.replace(response, refusals.unsettled(call, outcome));
      return false;
    }
    receipts.put(call, transaction.get(), response);
    if (resumed && !isCharged(response)) {
      return false;
    }
    if (response.getStatus() >= 400 && call.redelivery() == Redelivery.REREAD) {
      // A rerun that failed may be tried again, so it does not count as delivered.
      openCalls.undelivered(call);
      return false;
    }
    if (response.getEntity() instanceof StreamingOutput stream) {
      Runnable end = call.incoming()::close;
      response.setEntity(
          new SoldStream(stream, () -> openCalls.delivered(call), end),
          response.getEntityAnnotations(),
          response.getMediaType());
      return true;
    }
    if (!response.hasEntity()) {
      openCalls.delivered(call);
    }
    return false;
  }

  private static boolean isCharged(ContainerResponseContext response) {
    boolean success = Family.familyOf(response.getStatus()) == Family.SUCCESSFUL;
    return success && !response.getHeaders().containsKey(Payments.UNCHARGED);
  }

  private static Response tooLate() {
    return FlatErrors.of(502, "The call could not end within the life of its payment.");
  }
}
