package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallFailure;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Metering;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Usd;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.BodyBuffer.BufferedBody;
import dev.octroi.payments.body.ReceivedBody;
import dev.octroi.payments.body.ReceivedBody.BrokenRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.x402.OfferedPrice;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request that may have to be paid for. Its body is read once, when it is asked for. Used by one
 * thread at a time.
 */
public final class IncomingCall implements PricedRequest, AutoCloseable {

  private final Exchange exchange;
  private final BodyBuffer bodies;
  private final CallFailure failure;
  private @Nullable BufferedBody body;
  private @Nullable Object finding;
  private @Nullable Metering metering;

  /**
   * What working with the body, and then its answer, may take; below 0 as long as nothing was taken
   * for it.
   */
  private final AtomicLong memory = new AtomicLong(-1);

  /** What its answer takes until it has left, or until it has arrived where it is passed on. */
  private volatile long answer;

  /** Given back once, whichever thread ends the call. */
  private final AtomicReference<Admission.Permit> permit = new AtomicReference<>(() -> {});

  private boolean counted;
  private boolean forOneCaller;

  /**
   * A request that nothing was read of yet.
   *
   * @param admission counts it if its body is broken
   */
  IncomingCall(Exchange exchange, BodyBuffer bodies, Admission admission) {
    this.exchange = exchange;
    this.bodies = bodies;
    this.failure = CallFailure.of(exchange);
    ReceivedBody.of(exchange, admission);
  }

  /** Why the call fails, as far as that was noted; the request may be over. */
  CallFailure failure() {
    return failure;
  }

  /** The request as its container received it. */
  public Exchange exchange() {
    return exchange;
  }

  @Override
  public String method() {
    return exchange.method();
  }

  @Override
  public String path() {
    return exchange.path();
  }

  @Override
  public Map<String, List<String>> pathParameters() {
    return exchange.pathParameters();
  }

  @Override
  public Map<String, List<String>> queryParameters() {
    return exchange.queryParameters();
  }

  @Override
  public List<String> headers(String name) {
    return exchange.headers(name);
  }

  @Override
  public byte[] body() {
    return opened().bytes();
  }

  /** How long the body is in bytes; empty as long as it was not read. */
  public OptionalLong bodyLength() {
    return body == null ? OptionalLong.empty() : OptionalLong.of(body.length());
  }

  @Override
  public void note(Object given) {
    finding = given;
  }

  @Override
  public void metered(Metering how) {
    metering = how;
  }

  /** How it is answered, if its price is a ceiling. */
  Optional<Metering> metering() {
    return Optional.ofNullable(metering);
  }

  /** Whether its answer leaves before its charge is known. */
  boolean isStreamed() {
    return metering == Metering.STREAMED;
  }

  /** What it is offered at. */
  OfferedPrice offered(Usd price) {
    return new OfferedPrice(price, metering != null);
  }

  <T> Optional<T> noted(Class<T> type) {
    return type.isInstance(finding) ? Optional.of(type.cast(finding)) : Optional.empty();
  }

  /**
   * What a payment for this request is bound to; the whole address, so that mounts differ. Asked
   * for before the claim, which is when it turns out whether there is memory for the call.
   */
  RequestBinding binding() {
    if (exchange.property(PaymentFlow.BOUND_TO) instanceof RequestBinding other) {
      return other;
    }
    URI uri = exchange.address();
    String query = Objects.requireNonNullElse(uri.getRawQuery(), "");
    return new RequestBinding(method(), uri.getRawPath(), query, opened().hash());
  }

  /** The body, and the memory that the tariff and the method need to work with it. */
  private BufferedBody opened() {
    if (body == null) {
      body = read();
    }
    if (memory.get() < 0) {
      memory.set(bodies.working().take(body.weight()));
    }
    return body;
  }

  /**
   * Takes the memory to keep its answer, or to read one that was kept; throws {@link CallRefused}.
   */
  void keepAnswer(long bytes) {
    memory.set(bodies.working().takeForAnswer(bytes, Math.max(memory.get(), 0)));
    // Of what is passed on, another answer is made, which is longer.
    answer = exchange.property(PaymentFlow.PASSED_ON) == null ? bytes : memory.get();
    answerInMemory(bytes);
  }

  /** Says how much its answer holds until it has left, which may be long after its call's time. */
  void answerInMemory(long bytes) {
    exchange.property(PaymentFlow.ANSWER_BYTES, bytes);
  }

  /** Leaves all of its memory to what its answer is passed on as; says how much that is. */
  long handOver() {
    answer = 0;
    return Math.max(memory.getAndUpdate(taken -> Math.min(taken, 0)), 0);
  }

  /** Whether it has memory of its answer's. */
  boolean holdsAnswer() {
    return answer > 0;
  }

  /** Does not ask whether there is a body: RESTEasy denies one that came without a content type. */
  private BufferedBody read() {
    bodies.pace(exchange);
    InputStream received = exchange.body();
    if (received == null) {
      return BufferedBody.NONE;
    }
    try {
      PushbackInputStream in = new PushbackInputStream(received);
      int first = in.read();
      if (first < 0) {
        return BufferedBody.NONE;
      }
      in.unread(first);
      BufferedBody read = bodies.read(in, ReceivedBody.announced(exchange));
      exchange.body(read.stream());
      return read;
    } catch (BrokenRequest e) {
      throw new CallRefused(
          HttpAnswer.error(400, "The request's body broke off or cannot be read."));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes a place among the calls in flight, until this call is closed. */
  void occupy(Admission.Permit place) {
    permit.set(place);
    counted = true;
  }

  /** Whether it has taken its place already. */
  boolean isCounted() {
    return counted;
  }

  /** Holds something else besides, until this call is closed. */
  void hold(Runnable release) {
    Admission.Permit place = permit();
    permit.set(
        new Admission.Permit() {
          @Override
          public Map<String, String> headers() {
            return place.headers();
          }

          @Override
          public void close() {
            release.run();
            place.close();
          }
        });
  }

  /** Its method runs without payment because of who calls, so that its answer is no other's. */
  void answersOneCaller() {
    forOneCaller = true;
  }

  /**
   * The {@code Cache-Control} of the answer that its method gives without payment; empty where it
   * is as the method states.
   */
  public Optional<String> caching(@Nullable String stated) {
    return forOneCaller ? Optional.of(Receipts.caching(stated)) : Optional.empty();
  }

  /** The place that the call takes up. */
  Admission.Permit permit() {
    return Objects.requireNonNull(permit.get());
  }

  /**
   * Ends a call whose method does not run. A body that was not read is taken off the connection
   * first, within the limit and without keeping it: a sender whose connection is closed while it
   * still writes never reads the challenge.
   */
  void refuse() {
    try {
      InputStream received = exchange.body();
      if (body == null && received != null && announcesBody() && !asksFirst()) {
        bodies.pace(exchange);
        bodies.discard(Objects.requireNonNull(exchange.body()));
      }
    } finally {
      leaves();
    }
  }

  /** Its sender waits to be told to send: to read would be to tell. */
  private boolean asksFirst() {
    return "100-continue".equalsIgnoreCase(exchange.header("Expect"));
  }

  private boolean announcesBody() {
    return ReceivedBody.announced(exchange) > 0 || exchange.header("Transfer-Encoding") != null;
  }

  /**
   * Gives back all that the call took up but its answer's memory: its method has ended or will not
   * run, and the answer is on its way, to a caller who may take its time to read it.
   */
  public void leaves() {
    permit.getAndSet(() -> {}).close();
    if (body != null) {
      body.close();
    }
    body = BufferedBody.NONE;
    long kept = answer;
    long before = memory.getAndUpdate(taken -> Math.min(taken, kept));
    bodies.working().give(Math.max(before - kept, 0));
  }

  /** Gives back all that the call took up; its answer has left, or there is none. */
  @Override
  public void close() {
    answer = 0;
    leaves();
  }
}
