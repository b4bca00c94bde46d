package dev.octroi.payments.facilitator;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What to make of the reasons that remote facilitators give. */
final class Reasons {

  static final String INVALID = "invalid_payment";
  static final String MALFORMED = "facilitator_answer_malformed";
  static final String UNREACHABLE = "facilitator_unreachable";
  static final String NO_ANSWER = "facilitator_no_answer";

  /** What a facilitator of our own kind says of a payment that it sent to nobody. */
  static final String NOT_SENT = "settlement_not_sent";

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");

  private static final Pattern ITS_OWN =
      Pattern.compile("unexpected_[a-z0-9_]+|internal_[a-z0-9_]+|[a-z0-9_]*timed?_?out");

  /**
   * What the published facilitators (the packages x402 1.2.0, and x402-evm and x402-svm 2.11.0 and
   * 2.27.0) say only before they send. What any of them may also say after it has sent is not here,
   * however certain it sounds: they make a failed transaction, a used nonce, a missing balance, a
   * bad signature and an expired authorization out of the text of any error on the way to the
   * receipt.
   */
  private static final Set<String> NEVER_SENT =
      Set.of(
          """
          asset_not_deployed_contract
          eip6492_factory_not_allowed
          fee_payer_not_managed_by_facilitator
          insufficient_funds
          invalid_network
          invalid_payload
          invalid_payment_requirements
          invalid_scheme
          invalid_x402_version
          network_mismatch
          unsupported_network
          unsupported_payload_type
          unsupported_scheme
          invalid_exact_evm_authorization_value
          invalid_exact_evm_eip3009_not_supported
          invalid_exact_evm_failed_to_parse_signature
          invalid_exact_evm_missing_eip712_domain
          invalid_exact_evm_network_mismatch
          invalid_exact_evm_payload_authorization_value
          invalid_exact_evm_payload_authorization_value_mismatch
          invalid_exact_evm_payload_recipient_mismatch
          invalid_exact_evm_payload_signature
          invalid_exact_evm_payload_undeployed_smart_wallet
          invalid_exact_evm_recipient_mismatch
          invalid_exact_evm_scheme
          invalid_exact_evm_token_name_mismatch
          invalid_exact_evm_token_version_mismatch
          invalid_exact_evm_transaction_simulation_failed
          invalid_exact_svm_fee_payer_mismatch
          invalid_exact_svm_fee_payer_not_managed_by_facilitator
          invalid_exact_svm_network_mismatch
          invalid_exact_svm_payload_amount_mismatch
          invalid_exact_svm_payload_excessive_signers
          invalid_exact_svm_payload_memo_count
          invalid_exact_svm_payload_memo_mismatch
          invalid_exact_svm_payload_mint_mismatch
          invalid_exact_svm_payload_missing_fee_payer
          invalid_exact_svm_payload_no_transfer_instruction
          invalid_exact_svm_payload_recipient_mismatch
          invalid_exact_svm_payload_signature_invalid
          invalid_exact_svm_payload_transaction
          invalid_exact_svm_payload_transaction_amount_mismatch
          invalid_exact_svm_payload_transaction_could_not_be_decoded
          invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts
          invalid_exact_svm_payload_transaction_fee_payer_transferring_funds
          invalid_exact_svm_payload_transaction_instructions
          invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction
          invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high
          invalid_exact_svm_payload_transaction_instructions_compute_price_instruction
          invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high
          invalid_exact_svm_payload_transaction_instructions_length
          invalid_exact_svm_payload_transaction_receiver_ata_not_found
          invalid_exact_svm_payload_transaction_sender_ata_not_found
          invalid_exact_svm_payload_transaction_simulation_failed
          invalid_exact_svm_payload_transaction_transfer_to_incorrect_ata
          invalid_exact_svm_payload_unknown_optional_instruction
          invalid_exact_svm_transaction_simulation_failed
          invalid_exact_svm_unsupported_scheme
          """
              .split("\n"));

  private Reasons() {}

  /** A reason as it may go to a payer: a word, or a general one in its place. */
  static String word(@Nullable String reason, String otherwise) {
    return reason != null && WORD.matcher(reason).matches() ? reason : otherwise;
  }

  /** Whether the facilitator failed, rather than the payment. */
  static boolean isItsOwn(@Nullable String reason) {
    return reason != null && ITS_OWN.matcher(reason).matches();
  }

  /** Whether this reason says for certain that nothing was sent and nothing will be. */
  static boolean isCertain(@Nullable String reason) {
    return reason != null && NEVER_SENT.contains(reason);
  }
}
