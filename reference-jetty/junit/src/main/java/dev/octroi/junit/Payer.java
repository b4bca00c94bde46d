package dev.octroi.junit;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaidAnswer.Quote;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Someone with a wallet before the host under test, who pays whatever is asked as long as the money
 * lasts. Thread-safe.
 */
public final class Payer {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI base;
  private final SandboxBalances balances;
  private final Usd funds;
  private final Wallet wallet = Wallet.generate();
  private final PayingClient client;

  Payer(URI base, HttpClient http, SandboxBalances balances, Usd funds) {
    this.base = base;
    this.balances = balances;
    this.funds = funds;
    this.client =
        new PayingClient(
            http,
            new PaymentSigner(wallet, Clock.systemUTC()),
            new SpendingLimit(new Usd(Usd.MAX_MICROS), List.of(balances.token())));
    balances.fund(wallet, funds);
  }

  /** Asks and pays. */
  public Answer get(String path) {
    return send(request(path).build());
  }

  /** Asks with a body in JSON, and pays. */
  public Answer post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build());
  }

  /** Asks anything, and pays; the body must be repeatable. */
  public Answer send(HttpRequest request) {
    return new Answer(request, heard(() -> client.send(request)));
  }

  /**
   * Sends a paid request once more with the same payment, as after an answer that was lost: it is
   * never charged twice. What was delivered is refused ({@code nonce_already_used}), what was not
   * is answered again.
   *
   * @throws IllegalArgumentException if nothing was paid
   */
  public Answer again(Answer paid) {
    String payment =
        paid.payment().orElseThrow(() -> new IllegalArgumentException("nothing was paid"));
    return new Answer(paid.request(), heard(() -> client.sendAgain(paid.request(), payment)));
  }

  /** What a GET costs, without paying it; see {@link #asked(HttpRequest)}. */
  public Usd asked(String path) {
    return asked(request(path).build());
  }

  /**
   * What a request costs, without paying it; zero for one that is free, which was answered then.
   *
   * @throws AssertionError if it is refused for another reason than the missing payment
   */
  public Usd asked(HttpRequest request) {
    PaidAnswer unpaid = heard(() -> client.quote(request));
    Quote quote = unpaid.quote();
    if (quote == null && !unpaid.isSuccess()) {
      throw new AssertionError(
          request.method() + " " + request.uri() + " was answered " + unpaid.status());
    }
    return quote == null ? Usd.ZERO : quote.price();
  }

  /** The beginning of a request to a path of the host, with a timeout of half a minute. */
  public HttpRequest.Builder request(String path) {
    String below = base.toString().replaceAll("/$", "");
    String address = below + (path.startsWith("/") ? "" : "/") + path;
    return HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT);
  }

  /** What is left, by the books of the host. */
  public Usd balance() {
    return balances.balance(wallet);
  }

  /** What has been charged since the test began, by the books of the host. */
  public Usd spent() {
    return new Usd(funds.micros() - balance().micros());
  }

  /** The wallet, for clients of the host's own; its money is this payer's. */
  public Wallet wallet() {
    return wallet;
  }

  /** The address below which the host serves. */
  public URI base() {
    return base;
  }

  @FunctionalInterface
  private interface Asking {
    PaidAnswer ask() throws IOException, InterruptedException;
  }

  private static PaidAnswer heard(Asking asking) {
    try {
      return asking.ask();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an answer", e);
    }
  }
}
