package dev.octroi.junit;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaidAnswer.Quote;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What the host answered a payer.
 *
 * @param request what was asked
 * @param whole the answer with everything that it says about payments
 */
public record Answer(HttpRequest request, PaidAnswer whole) {

  /** The HTTP status of the last answer. */
  public int status() {
    return whole.status();
  }

  /** The body as UTF-8. */
  public String body() {
    return new String(whole.body(), StandardCharsets.UTF_8);
  }

  /** The first header of a name. */
  public Optional<String> header(String name) {
    return whole.headers().firstValue(name);
  }

  /** What this call was charged, by the host's receipt; zero for one that was not. */
  public Usd paid() {
    Quote quote = whole.quote();
    boolean charged = receipt().filter(SettlementResponse::success).isPresent();
    return charged && quote != null ? quote.price() : Usd.ZERO;
  }

  /** How settlement went; empty where the host did not say. */
  public Optional<SettlementResponse> receipt() {
    return Optional.ofNullable(whole.receipt());
  }

  /** Why a paid call was answered with another challenge, such as {@code nonce_already_used}. */
  public Optional<String> refusal() {
    return Optional.ofNullable(whole.refusal());
  }

  /** The payment that was sent; empty where none was asked for. */
  Optional<String> payment() {
    return Optional.ofNullable(whole.payment());
  }
}
