package dev.octroi.payments.facilitator;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What to make of the reasons that remote facilitators give. */
final class Reasons {

  static final String INVALID = "invalid_payment";
  static final String MALFORMED = "facilitator_answer_malformed";
  static final String UNREACHABLE = "facilitator_unreachable";
  static final String NO_ANSWER = "facilitator_no_answer";

  /** What a facilitator of our own kind says of a payment that it did not send. */
  static final String NOT_SENT = "settlement_not_sent";

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");

  private static final Pattern ITS_OWN =
      Pattern.compile("unexpected_[a-z0-9_]+|internal_[a-z0-9_]+|[a-z0-9_]*timed?_?out");

  /**
   * What facilitators say of a payment before they send anything, and no version of a published one
   * after it: that the payload or the terms break a rule.
   *
   * <p>Not what the chain says at that moment (a used nonce, too little money, a simulation that
   * fails): that is also what it says once this very payment has moved. Nor a time that is over, a
   * wrong signature, a transaction that failed: published facilitators take these out of an error's
   * text, whether it came from sending or from waiting for what was sent.
   */
  private static final Set<String> NEVER_SENT =
      Stream.of(
              ofPayload(
                  "",
                  "asset_not_deployed_contract",
                  "eip6492_factory_not_allowed",
                  "fee_payer_not_managed_by_facilitator",
                  "invalid_network",
                  "invalid_permit2_recipient_mismatch",
                  "invalid_permit2_spender",
                  "invalid_payload",
                  "invalid_payment_requirements",
                  "invalid_scheme",
                  "invalid_x402_version",
                  "missing_eip712_domain",
                  "network_mismatch",
                  "permit2_amount_mismatch",
                  "permit2_token_mismatch",
                  "unsupported_payload_type",
                  "unsupported_scheme",
                  "upto_facilitator_mismatch"),
              ofPayload(
                  "invalid_upto_evm_",
                  "network_mismatch",
                  "payload_settlement_exceeds_amount",
                  "scheme"),
              ofPayload(
                  "invalid_batch_settlement_evm_",
                  "authorizer_address_mismatch",
                  "authorizer_not_configured",
                  "channel_id_mismatch",
                  "erc3009_authorization_required",
                  "missing_eip712_domain",
                  "network_mismatch",
                  "payload_type",
                  "receiver_authorizer_mismatch",
                  "receiver_mismatch",
                  "scheme",
                  "token_mismatch",
                  "withdraw_delay_mismatch",
                  "withdraw_delay_out_of_range"),
              ofPayload(
                  "invalid_exact_evm_",
                  "authorization_value",
                  "eip3009_not_supported",
                  "extra_field",
                  "failed_to_get_network_config",
                  "failed_to_parse_signature",
                  "missing_eip712_domain",
                  "network_mismatch",
                  "payload",
                  "payload_authorization_value",
                  "payload_authorization_value_mismatch",
                  "payload_missing_signature",
                  "payload_recipient_mismatch",
                  "payload_undeployed_smart_wallet",
                  "recipient_mismatch",
                  "required_amount",
                  "scheme",
                  "signature_format",
                  "token_name_mismatch",
                  "token_version_mismatch",
                  "unsupported_scheme"),
              ofSolana("invalid_exact_svm_"),
              ofSolana("invalid_exact_solana_"))
          .flatMap(reasons -> reasons)
          .collect(Collectors.toUnmodifiableSet());

  private Reasons() {}

  private static Stream<String> ofSolana(String prefix) {
    return ofPayload(
        prefix,
        "fee_payer_mismatch",
        "fee_payer_not_managed_by_facilitator",
        "network_mismatch",
        "payload",
        "payload_amount_insufficient",
        "payload_amount_mismatch",
        "payload_excessive_signers",
        "payload_memo_count",
        "payload_memo_mismatch",
        "payload_mint_mismatch",
        "payload_missing_fee_payer",
        "payload_no_transfer_instruction",
        "payload_recipient_mismatch",
        "payload_signature_invalid",
        "payload_transaction",
        "payload_transaction_amount_mismatch",
        "payload_transaction_could_not_be_decoded",
        "payload_transaction_fee_payer_included_in_instruction_accounts",
        "payload_transaction_fee_payer_transferring_funds",
        "payload_transaction_instruction_not_spl_token_transfer_checked",
        "payload_transaction_instruction_not_token_2022_transfer_checked",
        "payload_transaction_instructions",
        "payload_transaction_instructions_compute_limit_instruction",
        "payload_transaction_instructions_compute_limit_instruction_too_high",
        "payload_transaction_instructions_compute_price_instruction",
        "payload_transaction_instructions_compute_price_instruction_too_high",
        "payload_transaction_instructions_length",
        "payload_transaction_not_a_transfer_instruction",
        "payload_transaction_transfer_to_incorrect_ata",
        "payload_unknown_fifth_instruction",
        "payload_unknown_fourth_instruction",
        "payload_unknown_optional_instruction",
        "payload_unknown_seventh_instruction",
        "payload_unknown_sixth_instruction",
        "unsupported_scheme");
  }

  private static Stream<String> ofPayload(String prefix, String... rules) {
    return Arrays.stream(rules).map(rule -> prefix + rule);
  }

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
