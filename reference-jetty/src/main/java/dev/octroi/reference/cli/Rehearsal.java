package dev.octroi.reference.cli;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentAnswers;
import dev.octroi.payments.x402.PaymentRequired;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * Loads what a payment needs, beside the command that is being read: JSON and the curve take a
 * third of the time of {@code pay}. Signs an offer of nothing with a fresh key and sends it
 * nowhere.
 */
final class Rehearsal {

  private static final String OFFER =
      """
      {"x402Version":2,"resource":{"url":"http://127.0.0.1/"},"accepts":[{"scheme":"exact",
      "network":"eip155:8453","amount":"1","asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      "payTo":"0x0000000000000000000000000000000000008402","maxTimeoutSeconds":60,
      "extra":{"name":"USD Coin","version":"2"}}]}
      """;

  private Rehearsal() {}

  /** Begins, and returns at once. What fails here fails again where it is needed, and is said. */
  static void begin() {
    Thread thread = new Thread(Rehearsal::run, "rehearsal");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run() {
    try {
      PaymentRequired challenge =
          PaymentAnswers.readChallengeBody(OFFER.getBytes(StandardCharsets.UTF_8));
      new PaymentSigner(Wallet.generate(), Clock.systemUTC())
          .sign(challenge, challenge.accepts().get(0));
    } catch (RuntimeException e) {
      // The command meets it too.
    }
  }
}
