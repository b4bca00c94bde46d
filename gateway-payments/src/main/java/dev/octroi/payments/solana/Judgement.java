package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.Verification;
import org.jspecify.annotations.Nullable;

/** What the rules that need no chain say of a payment. */
sealed interface Judgement {

  /** It keeps them all. */
  record Sound(SolanaTransaction transaction, TransferChecked transfer) implements Judgement {

    String payer() {
      return transfer.authority().toString();
    }
  }

  /** It breaks one. */
  record Broken(String reason, @Nullable String payer) implements Judgement {

    Verification.Invalid toVerification() {
      return new Verification.Invalid(reason, payer);
    }
  }
}
