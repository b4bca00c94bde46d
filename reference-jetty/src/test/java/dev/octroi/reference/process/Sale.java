package dev.octroi.reference.process;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One payment for one call, which may be sent any number of times, byte for byte the same.
 *
 * @param payment the value of {@code PAYMENT-SIGNATURE}
 */
record Sale(Offer offer, Wallet payer, String payment) {

  private static final Pattern NONCE = Pattern.compile("\"nonce\":\"0x([0-9a-f]{64})\"");

  /** What the authorization is unique by, beside its payer. */
  byte[] nonce() {
    Matcher matcher =
        NONCE.matcher(new String(Base64.getDecoder().decode(payment), StandardCharsets.UTF_8));
    if (!matcher.find()) {
      throw new IllegalStateException("a payment without nonce");
    }
    return HexFormat.of().parseHex(matcher.group(1));
  }

  /** Whether its answer is stored, so that nothing is run for it twice. */
  boolean isStored() {
    return offer.body() != null;
  }

  HttpResponse<String> send(URI base) throws IOException, InterruptedException {
    return Offer.HTTP.send(request(base), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(URI base) {
    return Offer.HTTP.sendAsync(request(base), BodyHandlers.ofString());
  }

  private HttpRequest request(URI base) {
    return offer.request(base).header(PaymentHeaders.PAYMENT_SIGNATURE, payment).build();
  }
}
