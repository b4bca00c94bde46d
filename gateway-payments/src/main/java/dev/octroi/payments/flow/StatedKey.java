package dev.octroi.payments.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.solana.SolanaPayments;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a payment is unique by, as its envelope states it; nothing proves it yet. */
public final class StatedKey {

  private static final String EVM = "eip155:";
  private static final Pattern NETWORK = Pattern.compile("[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}");
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");
  private static final Pattern NONCE = Pattern.compile("0x[0-9a-fA-F]{64}");

  private StatedKey() {}

  /** Empty where the envelope states none that a payment could have. */
  public static Optional<PaymentKey> of(PaymentPayload payload) {
    if (!isNetwork(payload)) {
      return Optional.empty();
    }
    if (!payload.network().startsWith(EVM)) {
      return SolanaPayments.key(payload);
    }
    JsonNode authorization = payload.payload().path("authorization");
    String from = authorization.path("from").asText();
    String nonce = authorization.path("nonce").asText();
    return ADDRESS.matcher(from).matches() && NONCE.matcher(nonce).matches()
        ? Optional.of(new PaymentKey(payload.network(), from, nonce))
        : Optional.empty();
  }

  /** Whether the envelope names a network as CAIP-2 has them, so that a database can be asked. */
  static boolean isNetwork(PaymentPayload payload) {
    return NETWORK.matcher(payload.network()).matches();
  }

  /** A payer as its chain writes it, where the ledger has one form of it alone. */
  static String payer(PaymentKey known) {
    return known.network().startsWith(EVM)
        ? EvmAddress.parse(known.payer()).toString()
        : known.payer();
  }
}
