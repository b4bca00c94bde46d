package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.SandboxFacilitator;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Solana played with worthless money, by the rules of the real one.
 *
 * <p>Its fee payer is no point of the curve, so that no key can ever sign for it: what is signed
 * for a sandbox can never be carried out on the real chain. Its offers tell a blockhash, so that
 * payers need not ask a chain for one; any other does as well.
 */
public final class SolanaSandbox {

  static final SolanaAddress FEE_PAYER = words("octroi sandbox: nobody's wallet.");

  private static final SolanaAddress BLOCKHASH = words("octroi sandbox: this is no block");

  private SolanaSandbox() {}

  /** The facilitator, whose money lives in the ledger. */
  public static SandboxFacilitator facilitator(String network, Clock clock) {
    ExactSolanaVerifier checks =
        new ExactSolanaVerifier(clock, FEE_PAYER.toString()::equals, Long.MAX_VALUE);
    return new SandboxFacilitator(
        checks::verify,
        List.of(network),
        Map.of("feePayer", FEE_PAYER.toString(), "recentBlockhash", BLOCKHASH.toString()),
        Optional.empty(),
        Optional.empty());
  }

  private static SolanaAddress words(String text) {
    return SolanaAddress.of(text.getBytes(StandardCharsets.US_ASCII));
  }
}
