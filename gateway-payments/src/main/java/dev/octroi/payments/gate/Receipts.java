package dev.octroi.payments.gate;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentAnswers;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The headers of an answer that was paid for. */
final class Receipts {

  private Receipts() {}

  /** Puts the receipt on an answer, and keeps shared caches from handing it to others. */
  static void put(PaidCall call, String transaction, ContainerResponseContext response) {
    Usd charge = call.charge();
    SettlementResponse settlement =
        SettlementResponse.settled(transaction, call.network(), call.payer(), charge.atomicUnits());
    settlement(call, settlement).forEach(response.getHeaders()::putSingle);
    response.getHeaders().putSingle(PaymentHeaders.X_PAYMENT_RECEIPT, transaction);
    response.getHeaders().putSingle(PaymentHeaders.PRICE_AMOUNT, charge.dollars());
    response.getHeaders().putSingle(PaymentHeaders.PRICE_CURRENCY, "USD");
    String stated = response.getHeaderString(HttpHeaders.CACHE_CONTROL);
    response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, caching(stated));
  }

  /** How settlement went, by the names that the request's client reads. */
  static Map<String, String> settlement(PaidCall call, SettlementResponse settlement) {
    String value = PaymentAnswers.settlementHeader(settlement);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(PaymentHeaders.PAYMENT_RESPONSE, value);
    if (call.agreement().older()) {
      headers.put(PaymentHeaders.X_PAYMENT_RESPONSE, value);
    }
    return headers;
  }

  /** The host's directives, less those that make an answer public. */
  static String caching(@Nullable String stated) {
    if (stated == null || stated.isBlank()) {
      return "private";
    }
    String kept =
        Stream.of(stated.toLowerCase(Locale.ROOT).split(","))
            .map(String::trim)
            .filter(directive -> !directive.equals("public") && !directive.startsWith("s-maxage"))
            .collect(Collectors.joining(", "));
    boolean closed = kept.contains("private") || kept.contains("no-store");
    return closed ? kept : kept.isEmpty() ? "private" : "private, " + kept;
  }
}
