package dev.octroi.api.observe;

import dev.octroi.api.error.RequestId;
import dev.octroi.payments.CallFailure;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.payments.PaymentObserver.PaymentStep.Kind;
import dev.octroi.payments.Usd;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way, with what is known of it so far. Only the thread that serves the call touches
 * it.
 */
public final class ObservedCall {

  private static final String NO_PAYMENT = "none";

  private final CallFailure failure;
  private final String requestId;
  private final String method;
  private final Instant at;
  private final long began = System.nanoTime();
  private final Map<Class<?>, Object> attached = new HashMap<>(2);
  private long ended;
  private Endpoint endpoint = Endpoint.UNKNOWN;
  private int status;
  private String paymentState = NO_PAYMENT;
  private boolean paymentTaken;
  private @Nullable String payer;
  private @Nullable String payment;
  private @Nullable Usd charge;
  private @Nullable String transaction;
  private @Nullable String trace;

  ObservedCall(Exchange request, Instant at) {
    this.failure = CallFailure.of(request);
    this.requestId = RequestId.of(request);
    this.method = request.method();
    this.at = at;
  }

  /** Notes how far its payment has come. */
  void note(PaymentStep step) {
    paymentState = step.outcome();
    paymentTaken = step.kind() == Kind.RELEASE || step.transaction() != null;
    if (step.payer() != null) {
      payer = step.payer();
    }
    if (step.payment() != null) {
      payment = step.payment();
    }
    if (step.charge() != null) {
      charge = step.charge();
    }
    if (step.transaction() != null) {
      transaction = step.transaction();
    }
  }

  /** Notes what was called, and how it was answered. */
  public void answered(Endpoint at, int withStatus) {
    endpoint = at;
    status = withStatus;
  }

  /** Notes the trace that it belongs to. */
  public void traced(String traceId) {
    trace = traceId;
  }

  /** True for the first time. */
  boolean end() {
    boolean first = ended == 0;
    ended = first ? System.nanoTime() : ended;
    return first;
  }

  /** Keeps something for the watcher that brings it. */
  public <T> void attach(Class<T> type, T value) {
    attached.put(type, value);
  }

  public <T> Optional<T> attached(Class<T> type) {
    return Optional.ofNullable(type.cast(attached.get(type)));
  }

  /** The HTTP method as it came: some containers make GET of HEAD later. */
  public String method() {
    return method;
  }

  /** Why it failed, as far as that was said, and the upstream that was asked last. */
  public CallFailure failure() {
    return failure;
  }

  /** The id that the answer carries. */
  public String requestId() {
    return requestId;
  }

  /** The id of its trace; empty where none is made. */
  public Optional<String> trace() {
    return Optional.ofNullable(trace);
  }

  /** When it came in. */
  public Instant at() {
    return at;
  }

  /** How long it took, the writing of its answer included, in nanoseconds. */
  public long nanos() {
    return ended - began;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public int status() {
    return status;
  }

  /** The outcome of the last step of its payment; {@code none} if it has none. */
  public String paymentState() {
    return paymentState;
  }

  /** Whether it brought a payment, or an API key that pays. */
  public boolean broughtPayment() {
    return !paymentState.equals(NO_PAYMENT);
  }

  /** Whether its payment was good: what it was answered is not the gate's word on it then. */
  public boolean hadPaymentTaken() {
    return paymentTaken;
  }

  /** Who pays; empty where no step of a payment told it. */
  public Optional<String> payer() {
    return Optional.ofNullable(payer);
  }

  /** The ledger's id of its payment. */
  public Optional<String> payment() {
    return Optional.ofNullable(payment);
  }

  /** What it was charged; empty if nothing. */
  public Optional<Usd> charge() {
    return Optional.ofNullable(charge);
  }

  public Optional<String> transaction() {
    return Optional.ofNullable(transaction);
  }

  /**
   * What was called, in words that are few however many paths callers make up.
   *
   * @param group the group's word; {@code gateway} for the gateway's own paths
   * @param method in upper case; {@code OTHER} for one that no resource has
   * @param path the template, its parameters in braces; {@code unmatched} where there is none
   */
  public record Endpoint(String group, String method, String path) {

    public static final String UNMATCHED = "unmatched";

    private static final Set<String> METHODS =
        Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

    static final String GATEWAY = "gateway";

    static final Endpoint UNKNOWN = new Endpoint(GATEWAY, "OTHER", UNMATCHED);

    /** How a method is called here. */
    public static String method(String method) {
      return METHODS.contains(method) ? method : "OTHER";
    }
  }
}
