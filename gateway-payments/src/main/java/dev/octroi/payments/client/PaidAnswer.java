package dev.octroi.payments.client;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended.
 *
 * @param status the HTTP status of the last answer
 * @param headers its headers
 * @param body its body
 * @param quote what the call costs; null where the server asked for no payment
 * @param payment the payment header that was sent; null where nothing was paid. Sent again, it asks
 *     for the same answer without a second charge
 * @param receipt how settlement went; null where the server did not say
 * @param refusal why a paid call was answered with another 402; null otherwise
 */
public record PaidAnswer(
    int status,
    HttpHeaders headers,
    byte[] body,
    @Nullable Quote quote,
    @Nullable String payment,
    @Nullable SettlementResponse receipt,
    @Nullable String refusal) {

  /** Whether the call was answered, paid or free. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /**
   * What a server asks for a call.
   *
   * @param price the price in dollars
   * @param terms the entry of {@code accepts} that this payer would pay by
   * @param challenge the whole challenge, as it was last read
   */
  public record Quote(Usd price, PaymentRequirements terms, PaymentRequired challenge) {}
}
