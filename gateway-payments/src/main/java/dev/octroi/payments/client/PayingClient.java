package dev.octroi.payments.client;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer.Quote;
import dev.octroi.payments.http.BoundedBody;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that answers a 402 of x402 version 2 or 1 by paying, within a limit. Thread-safe.
 *
 * <p>A payment whose outcome is unknown is never replaced by a new one: the same payment is sent
 * once more (x402, rules for an uncertain outcome).
 */
public final class PayingClient {

  static final int PAYMENT_REQUIRED = 402;

  /** Answers after which the same payment may be sent again. */
  private static final Set<Integer> TRY_AGAIN = Set.of(409, 502, 503);

  private static final int MAX_BODY_BYTES = 64 * 1024 * 1024;

  private final HttpClient http;
  private final Signer signer;
  private final SpendingLimit limit;

  public PayingClient(HttpClient http, Signer signer, SpendingLimit limit) {
    this.http = http;
    this.signer = signer;
    this.limit = limit;
  }

  /**
   * Sends a request, and pays if asked to.
   *
   * @param request with a timeout of its own, if it is to have one; its body must be repeatable
   * @throws PaymentDeclined if the price is over the limit, or there is no offer to sign
   * @throws MalformedPayment if the challenge cannot be read
   * @throws AnswerLost if a payment was sent and no answer came
   * @throws IOException if no answer came to the unpaid request, or one longer than 64 MiB
   */
  public PaidAnswer send(HttpRequest request) throws IOException, InterruptedException {
    Received first = receive(request);
    if (first.status() != PAYMENT_REQUIRED) {
      return first.answer(null, null);
    }
    Quote quote = quote(first);
    if (!limit.allows(quote.price())) {
      throw new PaymentDeclined(
          "The call costs " + quote.price() + ", the limit is " + limit.max() + ".", quote);
    }
    String payment = signer.sign(quote.challenge(), quote.terms());
    return sendPaid(request, payment, quote);
  }

  /**
   * Asks what a request costs, and pays nothing. Where the server asks for no payment, the request
   * has been served.
   *
   * @throws PaymentDeclined if there is no offer that this payer could sign
   */
  public PaidAnswer quote(HttpRequest request) throws IOException, InterruptedException {
    Received first = receive(request);
    return first.answer(first.status() == PAYMENT_REQUIRED ? quote(first) : null, null);
  }

  /** Sends a request with a payment made before, such as one whose answer was lost. */
  public PaidAnswer sendAgain(HttpRequest request, String payment)
      throws IOException, InterruptedException {
    return sendPaid(request, payment, null);
  }

  private PaidAnswer sendPaid(HttpRequest request, String payment, @Nullable Quote quote)
      throws IOException, InterruptedException {
    HttpRequest paid =
        HttpRequest.newBuilder(request, (name, value) -> true)
            .setHeader(PaymentPayload.headerName(payment), payment)
            .build();
    Received answer = attempt(paid, payment);
    if (answer == null || TRY_AGAIN.contains(answer.status())) {
      RetryPause.await(answer == null ? null : answer.headers());
      answer = receiveLast(paid, payment);
    }
    return answer.answer(quote, payment);
  }

  /** Null if no answer came: the server may have taken the payment or not. */
  private @Nullable Received attempt(HttpRequest paid, String payment) throws InterruptedException {
    try {
      return receiveLast(paid, payment);
    } catch (AnswerLost e) {
      return null;
    }
  }

  private Received receiveLast(HttpRequest paid, String payment)
      throws AnswerLost, InterruptedException {
    try {
      return receive(paid);
    } catch (IOException e) {
      throw new AnswerLost(payment, e);
    }
  }

  /** The request's time ends the body's too, which the JDK's own ends with the headers. */
  private Received receive(HttpRequest request) throws IOException, InterruptedException {
    Duration most = request.timeout().orElse(Duration.ofNanos(Long.MAX_VALUE));
    HttpResponse<byte[]> response = BoundedBody.answer(http, request, MAX_BODY_BYTES, most);
    return new Received(response.statusCode(), response.headers(), response.body());
  }

  private Quote quote(Received answer) {
    PaymentRequired challenge = answer.challenge();
    PaymentRequirements terms =
        limit
            .payable(challenge.accepts(), signer)
            .orElseThrow(
                () ->
                    new PaymentDeclined(
                        "No offer of the scheme " + limit.scheme() + " is in a token known here.",
                        null));
    return new Quote(new Usd(Long.parseLong(terms.amount())), terms, challenge);
  }

  /** How long a payer waits before it sends the same payment again. */
  static final class RetryPause {

    private static final Duration DEFAULT = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private RetryPause() {}

    /**
     * Waits for as long as {@code Retry-After} says in seconds, at most ten; a date counts as not
     * said.
     */
    static void await(@Nullable HttpHeaders headers) throws InterruptedException {
      Duration pause = of(headers == null ? "" : headers.firstValue("Retry-After").orElse(""));
      Executor later = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS);
      try {
        CompletableFuture.runAsync(() -> {}, later).get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("nothing can fail in an empty task", e);
      }
    }

    static Duration of(String retryAfter) {
      if (!retryAfter.matches("[0-9]{1,9}")) {
        return DEFAULT;
      }
      Duration asked = Duration.ofSeconds(Long.parseLong(retryAfter));
      return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    }
  }

  /** The payer does not pay: the price is over its limit, or there is no offer that it can sign. */
  public static final class PaymentDeclined extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Quote quote;

    PaymentDeclined(String sentence, @Nullable Quote quote) {
      super(sentence);
      this.quote = quote;
    }

    /** What was asked; null where nothing asked for could be signed. */
    public @Nullable Quote quote() {
      return quote;
    }
  }

  /** A payment was sent and no answer came: it may have been taken, so it must not be replaced. */
  public static final class AnswerLost extends IOException {

    private static final long serialVersionUID = 1L;

    private final String payment;

    AnswerLost(String payment, IOException cause) {
      super(
          "A payment was sent and its answer did not arrive; send the same payment again.", cause);
      this.payment = payment;
    }

    /** The payment to send again, by {@link PayingClient#sendAgain}. */
    public String payment() {
      return payment;
    }
  }

  /** One HTTP answer, and what it says about payments. */
  record Received(int status, HttpHeaders headers, byte[] body) {

    /** The challenge of the header, else the body's. */
    PaymentRequired challenge() {
      return headers
          .firstValue(PaymentHeaders.PAYMENT_REQUIRED)
          .map(PaymentRequired::read)
          .orElseGet(() -> PaymentRequired.readBody(body));
    }

    PaidAnswer answer(@Nullable Quote quote, @Nullable String payment) {
      boolean refused = payment != null && PaymentHeaders.isChallenge(status);
      return new PaidAnswer(
          status, headers, body, quote, payment, receipt(), refused ? refusal() : null);
    }

    private @Nullable SettlementResponse receipt() {
      Optional<String> header =
          headers
              .firstValue(PaymentHeaders.PAYMENT_RESPONSE)
              .or(() -> headers.firstValue(PaymentHeaders.X_PAYMENT_RESPONSE));
      try {
        return header.map(SettlementResponse::read).orElse(null);
      } catch (MalformedPayment e) {
        // The money has moved and the answer is here: an unreadable receipt must not lose it.
        return null;
      }
    }

    private @Nullable String refusal() {
      try {
        return challenge().error();
      } catch (MalformedPayment e) {
        return null;
      }
    }
  }
}
