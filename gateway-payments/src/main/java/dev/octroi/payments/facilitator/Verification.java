package dev.octroi.payments.facilitator;

import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a facilitator says of a payment before it is settled. */
public sealed interface Verification {

  /** Looks at payments by the rules of a scheme, and moves nothing. Thread-safe. */
  @FunctionalInterface
  interface Check {

    /** What is said of a payment against this server's own terms. */
    Verification verify(PaymentPayload payment, PaymentRequirements terms);

    /** One check for payments on terms of a kind, and another one for all else. */
    static Check either(Predicate<PaymentRequirements> kind, Check check, Check otherwise) {
      return (payment, terms) -> (kind.test(terms) ? check : otherwise).verify(payment, terms);
    }
  }

  /**
   * The payment would settle now.
   *
   * @param payer the payer's address in its chain's form
   * @param nonce what makes the authorization unique for the payer: on EVM bytes in lower-case hex
   *     with 0x
   * @param validBefore when the authorization expires
   * @param spendable the payer's verified balance in millionths of a dollar, or all that its
   *     channel holds, whatever was charged of it; empty where the ledger's own database holds it
   *     ({@link Facilitator#settlesInLedger}), and where the facilitator did not tell it
   * @param channel the channel that it is paid out of; empty for a payment of its own
   */
  record Valid(
      String payer,
      String nonce,
      Instant validBefore,
      OptionalLong spendable,
      Optional<ChannelUse> channel)
      implements Verification {

    /** A payment of its own. */
    public Valid(String payer, String nonce, Instant validBefore, OptionalLong spendable) {
      this(payer, nonce, validBefore, spendable, Optional.empty());
    }

    /** The same with another word on what its payer can spend. */
    public Valid spending(OptionalLong micros) {
      return new Valid(payer, nonce, validBefore, micros, channel);
    }

    /**
     * The same out of a channel whose money a chain holds.
     *
     * @param micros what the contract holds for it, and this payment brings
     */
    public Valid outOf(ChannelUse use, long micros) {
      return new Valid(payer, nonce, validBefore, OptionalLong.of(micros), Optional.of(use));
    }

    /** Whose account carries it in the ledger: the payer's, or the channel's. */
    public String account() {
      return channel.map(ChannelUse::id).orElse(payer);
    }
  }

  /**
   * A payer asks for what is left in its channel, and buys nothing.
   *
   * @param channel the channel, with what was charged so far as the payer counts
   * @param amount how much is to go back in millionths of a dollar; empty for all
   */
  record Refund(ChannelUse channel, OptionalLong amount) implements Verification {}

  /**
   * The payment is good by itself, but it would not settle now: its time is over, its nonce used,
   * its payer's money gone. It may have settled before and its answer be owed (money rule 3), or be
   * in doubt, so that the ledger is asked before the payer is told to pay again.
   *
   * @param reason one of the protocol's reason strings
   * @param payment what would be valid otherwise
   */
  record Late(String reason, Valid payment) implements Verification {}

  /**
   * The payment would not settle.
   *
   * @param reason one of the protocol's reason strings
   * @param payer the claimed payer, where it could be read
   */
  record Invalid(String reason, @Nullable String payer) implements Verification {}
}
