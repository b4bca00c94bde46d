package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.SolanaMessage.MessageInstruction;
import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the exact scheme on Solana that need no chain, in the protocol's order; the first
 * that is broken gives the reason. Thread-safe.
 *
 * <p>Whether the payer has the money, whether the message's blockhash still lives and whether the
 * payment was made before is the facilitator's to find out.
 */
public final class ExactSolanaVerifier {

  private static final String PAYLOAD = "invalid_exact_svm_payload_";
  private static final String TRANSACTION = PAYLOAD + "transaction_";
  private static final String SIGNATURE = PAYLOAD + "signature_invalid";

  private static final int TRANSFER = 2;
  private static final int LEAST_INSTRUCTIONS = 3;
  private static final int MOST_INSTRUCTIONS = 7;

  private static final String[] PLACES = {"fourth", "fifth", "sixth", "seventh"};

  private final Clock clock;
  private final Predicate<String> isFeePayer;
  private final long maxFeeLamports;

  /**
   * Makes the verifier.
   *
   * @param clock by which a payment is said to end: its blockhash dates it, but not in time
   * @param isFeePayer whether this facilitator signs for a fee payer, given in base58
   * @param maxFeeLamports the most that a transaction may cost the fee payer
   */
  public ExactSolanaVerifier(Clock clock, Predicate<String> isFeePayer, long maxFeeLamports) {
    this.clock = clock;
    this.isFeePayer = isFeePayer;
    this.maxFeeLamports = maxFeeLamports;
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid, with an unknown balance and {@code maxTimeoutSeconds} from now as its end, or
   *     the reason of the first broken rule
   * @throws MalformedPayment if the payload has no transaction
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    Judgement judgement = judge(payment, terms);
    return judgement instanceof Judgement.Sound sound
        ? valid(sound, terms, OptionalLong.empty())
        : ((Judgement.Broken) judgement).toVerification();
  }

  /** Throws {@link MalformedPayment} if the payload has no transaction. */
  Judgement judge(PaymentPayload payment, PaymentRequirements terms) {
    String feePayer = PaymentTransfer.member(terms, "feePayer");
    String reason = brokenTerms(payment, terms, feePayer);
    if (reason != null || feePayer == null) {
      return new Judgement.Broken(String.valueOf(reason), null);
    }
    SolanaTransaction transaction;
    try {
      transaction = SolanaTransaction.readBase64(text(payment.payload()));
    } catch (MalformedTransaction e) {
      return new Judgement.Broken(TRANSACTION + "could_not_be_decoded", null);
    }
    reason = brokenFrame(transaction, feePayer);
    return reason == null ? judgeTransfer(transaction, terms) : new Judgement.Broken(reason, null);
  }

  /** What is said of a payment that keeps all rules. */
  Verification.Valid valid(
      Judgement.Sound sound, PaymentRequirements terms, OptionalLong spendable) {
    return new Verification.Valid(
        sound.payer(),
        sound.transaction().messageHash(),
        clock.instant().plusSeconds(terms.maxTimeoutSeconds()),
        spendable);
  }

  private Judgement judgeTransfer(SolanaTransaction transaction, PaymentRequirements terms) {
    SolanaMessage message = transaction.message();
    String reason = ComputeBudget.broken(message, maxFeeLamports);
    TransferChecked transfer = transfer(message).orElse(null);
    if (reason != null || transfer == null) {
      String missing = PAYLOAD + "no_transfer_instruction";
      return new Judgement.Broken(reason == null ? missing : reason, null);
    }
    String payer = transfer.authority().toString();
    reason = brokenRest(message, transfer);
    if (reason == null) {
      reason = brokenTransfer(message, transfer, terms);
    }
    if (reason == null) {
      reason = Memos.broken(message, PaymentTransfer.member(terms, "memo"));
    }
    return reason == null
        ? new Judgement.Sound(transaction, transfer)
        : new Judgement.Broken(reason, payer);
  }

  /** The instruction that moves the money, which has its place. */
  static Optional<TransferChecked> transfer(SolanaMessage message) {
    return message.instructions().size() > TRANSFER
        ? TransferChecked.of(message, message.instructions().get(TRANSFER))
        : Optional.empty();
  }

  private @Nullable String brokenTerms(
      PaymentPayload payment, PaymentRequirements terms, @Nullable String feePayer) {
    if (!payment.scheme().equals(PaymentOption.EXACT)
        || !terms.scheme().equals(PaymentOption.EXACT)) {
      return "invalid_exact_svm_unsupported_scheme";
    }
    if (!SolanaToken.isSolana(terms.network()) || !payment.network().equals(terms.network())) {
      return "invalid_exact_svm_network_mismatch";
    }
    if (feePayer == null) {
      return PAYLOAD + "missing_fee_payer";
    }
    return isFeePayer.test(feePayer)
        ? null
        : "invalid_exact_svm_fee_payer_not_managed_by_facilitator";
  }

  /** Who signs, where the accounts come from, and how many instructions there are. */
  private static @Nullable String brokenFrame(SolanaTransaction transaction, String feePayer) {
    SolanaMessage message = transaction.message();
    if (!message.feePayer().toString().equals(feePayer)) {
      return "invalid_exact_svm_fee_payer_mismatch";
    }
    if (!transaction.isUnsigned(0)) {
      return SIGNATURE;
    }
    for (int i = 1; i < message.signers(); i++) {
      if (!transaction.isSigned(i)) {
        return SIGNATURE;
      }
    }
    if (message.lookups() > 0) {
      return "invalid_exact_svm_smart_wallet_alt_resolution_not_available";
    }
    int count = message.instructions().size();
    return count < LEAST_INSTRUCTIONS || count > MOST_INSTRUCTIONS
        ? TRANSACTION + "instructions_length"
        : null;
  }

  /** What comes after the transfer, and what may not come anywhere. */
  private static @Nullable String brokenRest(SolanaMessage message, TransferChecked transfer) {
    for (int i = LEAST_INSTRUCTIONS; i < message.instructions().size(); i++) {
      SolanaAddress program = message.program(message.instructions().get(i));
      if (!program.equals(Programs.MEMO) && !program.equals(Programs.LIGHTHOUSE)) {
        return PAYLOAD + "unknown_" + PLACES[i - LEAST_INSTRUCTIONS] + "_instruction";
      }
    }
    if (transfer.authority().equals(message.feePayer())) {
      return TRANSACTION + "fee_payer_transferring_funds";
    }
    boolean exposed = message.instructions().stream().anyMatch(ExactSolanaVerifier::namesFeePayer);
    return exposed ? TRANSACTION + "fee_payer_included_in_instruction_accounts" : null;
  }

  /** The fee payer stands first, and no account stands in a message twice. */
  private static boolean namesFeePayer(MessageInstruction instruction) {
    for (int i = 0; i < instruction.accountCount(); i++) {
      if (instruction.account(i) == 0) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String brokenTransfer(
      SolanaMessage message, TransferChecked transfer, PaymentRequirements terms) {
    // A delegate or a key that did not sign is refused here already, not first by the chain.
    if (message.accounts().indexOf(transfer.authority()) >= message.signers()) {
      return SIGNATURE;
    }
    if (!transfer.mint().toString().equals(terms.asset())) {
      return PAYLOAD + "mint_mismatch";
    }
    if (!isAccountOf(terms.payTo(), transfer.destination(), transfer)) {
      return PAYLOAD + "recipient_mismatch";
    }
    if (!Long.toUnsignedString(transfer.amount()).equals(terms.amount())) {
      return PAYLOAD + "amount_mismatch";
    }
    // The one account whose balance stands for this payer: money rule 8 sums open claims by payer.
    String payer = transfer.authority().toString();
    return isAccountOf(payer, transfer.source(), transfer) ? null : PAYLOAD + "source_mismatch";
  }

  private static boolean isAccountOf(
      String owner, SolanaAddress account, TransferChecked transfer) {
    try {
      SolanaAddress address = SolanaAddress.parse(owner);
      return AssociatedToken.of(address, transfer.mint(), transfer.program()).equals(account);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String text(JsonNode payload) {
    JsonNode node = payload.path("transaction");
    if (!node.isTextual()) {
      throw new MalformedPayment("In the payment, transaction is not a string.");
    }
    return node.textValue();
  }

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
}
