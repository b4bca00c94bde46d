package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.Instruction.AccountUse;
import dev.octroi.payments.solana.PaymentTransfer.MessageWriter;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExactSolanaVerifierTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String PAYLOAD = "invalid_exact_svm_payload_";
  private static final String TRANSACTION = PAYLOAD + "transaction_";
  private static final String INSTRUCTIONS = TRANSACTION + "instructions_";
  private static final Instruction MEMO = Memos.of("a note");
  private static final Instruction LIGHTHOUSE =
      new Instruction(Programs.LIGHTHOUSE, new byte[] {1, 2});

  private static final SolanaAddress UNKNOWN_PROGRAM = SolanaAddress.of(new byte[32]);

  private final ExactSolanaVerifier verifier =
      new ExactSolanaVerifier(
          Clock.fixed(NOW, ZoneOffset.UTC),
          Examples.FEE_PAYER.address().toString()::equals,
          100_000);

  @Test
  @Tag("spec:x402.known_answer")
  void thePublishedClientsPaymentIsValid() {
    Verification verification = verify(Examples.PUBLISHED);

    assertThat(verification)
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> {
              assertThat(valid.payer()).isEqualTo(Examples.PAYER.address().toString());
              assertThat(valid.nonce()).matches("[0-9a-f]{64}");
              assertThat(valid.validBefore()).isEqualTo(NOW.plusSeconds(60));
              assertThat(valid.spendable()).isEmpty();
            });
  }

  @Test
  @Tag("spec:money.4")
  void whatAPaymentIsUniqueByIsToldWithoutJudgingIt() {
    Verification.Valid valid = (Verification.Valid) verify(Examples.PUBLISHED);

    assertThat(SolanaPayments.key(Examples.payment(Examples.PUBLISHED)))
        .contains(new PaymentKey(Examples.terms().network(), valid.payer(), valid.nonce()));
    assertThat(SolanaPayments.key(Examples.payment("AAAA"))).isEmpty();
    assertThat(SolanaPayments.key(Examples.payment(""))).isEmpty();
  }

  /** Each rule, in the protocol's order, with a transaction that breaks just that one. */
  enum Rule {
    COULD_NOT_BE_DECODED(TRANSACTION + "could_not_be_decoded", () -> "AAAA"),
    FEE_PAYER_FIRST(
        "invalid_exact_svm_fee_payer_mismatch",
        () -> {
          List<Instruction> all = Examples.around(Examples.transfer().toInstruction(), MEMO);
          return MessageWriter.unsigned(Examples.STRANGER.address(), Examples.BLOCKHASH, all)
              .signedBy(Examples.PAYER)
              .toBase64();
        }),
    FEE_PAYER_UNSIGNED(
        PAYLOAD + "signature_invalid",
        () ->
            SolanaTransaction.readBase64(Examples.PUBLISHED)
                .signedBy(Examples.FEE_PAYER)
                .toBase64()),
    PAYER_SIGNED(
        PAYLOAD + "signature_invalid",
        () -> Examples.signed(Examples.around(Examples.transfer().toInstruction())).toBase64()),
    SIGNATURE_FITS(
        PAYLOAD + "signature_invalid",
        () -> {
          byte[] wire = SolanaTransaction.readBase64(Examples.PUBLISHED).toBytes();
          wire[70] ^= 1;
          return SolanaTransaction.read(wire).toBase64();
        }),
    NO_LOOKUPS("invalid_exact_svm_smart_wallet_alt_resolution_not_available", () -> withLookup()),
    AT_LEAST_THREE(
        INSTRUCTIONS + "length",
        () -> payer(Examples.around(Examples.transfer().toInstruction()).subList(1, 3))),
    AT_MOST_SEVEN(
        INSTRUCTIONS + "length",
        () -> transfer(Collections.nCopies(5, LIGHTHOUSE).toArray(Instruction[]::new))),
    COMPUTE_LIMIT(INSTRUCTIONS + "compute_limit_instruction", () -> replaced(0, MEMO)),
    COMPUTE_LIMIT_FORM(
        INSTRUCTIONS + "compute_limit_instruction", () -> replaced(0, ComputeBudget.price(1))),
    COMPUTE_PRICE(INSTRUCTIONS + "compute_price_instruction", () -> replaced(1, MEMO)),
    COMPUTE_PRICE_FORM(
        INSTRUCTIONS + "compute_price_instruction", () -> replaced(1, ComputeBudget.limit(1))),
    COMPUTE_PRICE_CAP(
        INSTRUCTIONS + "compute_price_instruction_too_high",
        () -> replaced(1, ComputeBudget.price(5_000_001))),
    COMPUTE_PRICE_UNSIGNED(
        INSTRUCTIONS + "compute_price_instruction_too_high",
        () -> replaced(1, ComputeBudget.price(-1))),
    FEE_CAP(
        INSTRUCTIONS + "compute_price_instruction_too_high",
        () -> replaced(1, ComputeBudget.price(4_900_000))),
    TRANSFER_CHECKED(PAYLOAD + "no_transfer_instruction", () -> replaced(2, MEMO)),
    TRANSFER_FORM(
        PAYLOAD + "no_transfer_instruction",
        () -> {
          Instruction good = Examples.transfer().toInstruction();
          byte[] unchecked = Arrays.copyOf(good.data(), 9);
          unchecked[0] = 3;
          return replaced(2, new Instruction(good.program(), unchecked, good.accounts()));
        }),
    TRANSFER_ACCOUNTS(
        PAYLOAD + "no_transfer_instruction",
        () -> {
          Instruction good = Examples.transfer().toInstruction();
          return replaced(2, good.with(Examples.STRANGER.address(), AccountUse.READONLY));
        }),
    FOURTH(PAYLOAD + "unknown_fourth_instruction", () -> transfer(unknown(), MEMO)),
    FIFTH(PAYLOAD + "unknown_fifth_instruction", () -> transfer(MEMO, unknown())),
    SIXTH(PAYLOAD + "unknown_sixth_instruction", () -> transfer(MEMO, LIGHTHOUSE, unknown())),
    SEVENTH(
        PAYLOAD + "unknown_seventh_instruction",
        () -> transfer(MEMO, LIGHTHOUSE, LIGHTHOUSE, unknown())),
    NO_ACCOUNT_CREATION(
        PAYLOAD + "unknown_fourth_instruction",
        () -> transfer(new Instruction(Programs.ASSOCIATED_TOKEN, new byte[] {1}))),
    FEE_PAYER_TRANSFERS(
        TRANSACTION + "fee_payer_transferring_funds",
        () ->
            Examples.signed(
                    Examples.around(
                        Examples.transfer(
                                Examples.FEE_PAYER.address(),
                                Examples.SELLER.address(),
                                Programs.TOKEN,
                                Examples.AMOUNT)
                            .toInstruction()))
                .toBase64()),
    FEE_PAYER_NAMED(
        TRANSACTION + "fee_payer_included_in_instruction_accounts",
        () -> transfer(LIGHTHOUSE.with(Examples.FEE_PAYER.address(), AccountUse.READONLY))),
    AUTHORITY_SIGNS(
        PAYLOAD + "signature_invalid",
        () -> {
          TransferChecked good = Examples.transfer();
          Instruction unsigned =
              new Instruction(good.program(), good.toInstruction().data())
                  .with(good.source(), AccountUse.WRITABLE)
                  .with(good.mint(), AccountUse.READONLY)
                  .with(good.destination(), AccountUse.WRITABLE)
                  .with(good.authority(), AccountUse.READONLY);
          return Examples.signed(Examples.around(unsigned)).toBase64();
        }),
    MINT(
        PAYLOAD + "mint_mismatch",
        () -> {
          TransferChecked good = Examples.transfer();
          SolanaAddress other = SolanaToken.DEVNET_USDC.mint();
          return moved(
              new TransferChecked(
                  good.program(),
                  AssociatedToken.of(good.authority(), other, good.program()),
                  other,
                  AssociatedToken.of(Examples.SELLER.address(), other, good.program()),
                  good.authority(),
                  good.amount(),
                  good.decimals()));
        }),
    RECIPIENT(
        PAYLOAD + "recipient_mismatch",
        () ->
            moved(
                Examples.transfer(
                    Examples.PAYER.address(),
                    Examples.STRANGER.address(),
                    Programs.TOKEN,
                    Examples.AMOUNT))),
    RECIPIENT_OF_THE_PROGRAM(
        PAYLOAD + "recipient_mismatch",
        () -> {
          TransferChecked good = Examples.transfer();
          return moved(
              new TransferChecked(
                  Programs.TOKEN_2022,
                  good.source(),
                  good.mint(),
                  good.destination(),
                  good.authority(),
                  good.amount(),
                  good.decimals()));
        }),
    AMOUNT_TOO_LOW(PAYLOAD + "amount_mismatch", () -> moved(amount(Examples.AMOUNT - 1))),
    AMOUNT_TOO_HIGH(PAYLOAD + "amount_mismatch", () -> moved(amount(Examples.AMOUNT + 1))),
    SOURCE(
        PAYLOAD + "source_mismatch",
        () -> {
          TransferChecked good = Examples.transfer();
          return moved(
              new TransferChecked(
                  good.program(),
                  Examples.STRANGER.address(),
                  good.mint(),
                  good.destination(),
                  good.authority(),
                  good.amount(),
                  good.decimals()));
        });

    private final String reason;
    private final Supplier<String> transaction;

    Rule(String reason, Supplier<String> transaction) {
      this.reason = reason;
      this.transaction = transaction;
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  @Tag("spec:x402.base58.fee_payer")
  @Tag("spec:x402.base58.signatures")
  @Tag("spec:x402.base58.lookup_tables")
  @Tag("spec:x402.base58.instructions")
  @Tag("spec:x402.base58.compute_price")
  @Tag("spec:x402.base58.mint")
  @Tag("spec:x402.base58.destination")
  @Tag("spec:x402.base58.amount")
  void aBrokenRuleGivesItsReason(Rule rule) {
    assertThat(reason(verify(rule.transaction.get()))).isEqualTo(rule.reason);
  }

  @Test
  void aMemberThatIsNoTextIsMalformed() {
    PaymentPayload good = Examples.payment(Examples.PUBLISHED);
    PaymentPayload bad =
        new PaymentPayload(
            2,
            null,
            null,
            good.scheme(),
            good.network(),
            JsonNodeFactory.instance.objectNode().put("transaction", 7),
            null,
            good.envelope());

    assertThatThrownBy(() -> verifier.verify(bad, Examples.terms()))
        .isInstanceOf(MalformedPayment.class);
  }

  @Test
  @Tag("spec:x402.base58.fee_payer")
  void schemeAndNetworkAreCompared() {
    String other = SolanaToken.DEVNET_USDC.network();

    assertThat(reason(verifier.verify(payment("upto", Examples.USDC.network()), Examples.terms())))
        .isEqualTo("invalid_exact_svm_unsupported_scheme");
    assertThat(reason(verifier.verify(payment("exact", other), Examples.terms())))
        .isEqualTo("invalid_exact_svm_network_mismatch");
  }

  @Test
  @Tag("spec:x402.base58.fee_payer")
  void theOfferNamesAFeePayerOfOurs() {
    PaymentPayload payment = Examples.payment(Examples.PUBLISHED);
    Map<String, Object> others = Map.of("feePayer", Examples.STRANGER.address().toString());

    assertThat(reason(verifier.verify(payment, Examples.terms(Map.of()))))
        .isEqualTo(PAYLOAD + "missing_fee_payer");
    assertThat(reason(verifier.verify(payment, Examples.terms(others))))
        .isEqualTo("invalid_exact_svm_fee_payer_not_managed_by_facilitator");
  }

  static Stream<List<Instruction>> allowed() {
    return Stream.of(
        Examples.around(Examples.transfer().toInstruction()),
        Examples.around(Examples.transfer().toInstruction(), MEMO, MEMO),
        Examples.around(Examples.transfer().toInstruction(), LIGHTHOUSE, LIGHTHOUSE, MEMO),
        Examples.around(
            Examples.transfer().toInstruction(), MEMO, LIGHTHOUSE, LIGHTHOUSE, LIGHTHOUSE),
        Examples.around(
            Examples.transfer(
                    Examples.PAYER.address(),
                    Examples.SELLER.address(),
                    Programs.TOKEN_2022,
                    Examples.AMOUNT)
                .toInstruction(),
            MEMO));
  }

  @ParameterizedTest
  @MethodSource("allowed")
  void whatWalletsAddIsAllowed(List<Instruction> instructions) {
    assertThat(verify(payer(instructions))).isInstanceOf(Verification.Valid.class);
  }

  @Test
  void everyOtherSignerHasSigned() {
    Instruction signedMemo = MEMO.with(Examples.STRANGER.address(), AccountUse.SIGNER);
    List<Instruction> all = Examples.around(Examples.transfer().toInstruction(), signedMemo);

    assertThat(reason(verify(payer(all)))).isEqualTo(PAYLOAD + "signature_invalid");
    assertThat(verify(Examples.signed(all, Examples.PAYER, Examples.STRANGER).toBase64()))
        .isInstanceOf(Verification.Valid.class);
  }

  @Test
  @Tag("spec:x402.base58.memo")
  void anAskedMemoStandsThereOnce() {
    assertThat(memoReason(Memos.of("order 7"))).isNull();
    assertThat(memoReason(Memos.of("order 7"), LIGHTHOUSE)).isNull();
    assertThat(memoReason(Memos.of("order 8"))).isEqualTo(PAYLOAD + "memo_mismatch");
    assertThat(memoReason(LIGHTHOUSE)).isEqualTo(PAYLOAD + "memo_count");
    assertThat(memoReason(Memos.of("order 7"), MEMO)).isEqualTo(PAYLOAD + "memo_count");
  }

  @Test
  void twoPaymentsOfTheSameOfferDiffer() {
    PaymentTransfer transfer = PaymentTransfer.of(Examples.terms());
    String first = sign(transfer);
    String second = sign(transfer);

    assertThat(nonce(first)).isNotEqualTo(nonce(second));
  }

  @Test
  void aPaymentWithASellersMemoIsMade() {
    PaymentRequirements terms = Examples.terms(memo("order 7"));
    String transaction = sign(PaymentTransfer.of(terms));

    assertThat(verifier.verify(Examples.payment(transaction), terms))
        .isInstanceOf(Verification.Valid.class);
  }

  private static String sign(PaymentTransfer transfer) {
    return (String) transfer.sign(Examples.PAYER, Examples.BLOCKHASH).get("transaction");
  }

  private String nonce(String transaction) {
    return ((Verification.Valid) verify(transaction)).nonce();
  }

  private String memoReason(Instruction... more) {
    PaymentPayload payment = Examples.payment(transfer(more));
    return reason(verifier.verify(payment, Examples.terms(memo("order 7"))));
  }

  private static Map<String, Object> memo(String memo) {
    return Map.of("feePayer", Examples.FEE_PAYER.address().toString(), "memo", memo);
  }

  private Verification verify(String transaction) {
    return verifier.verify(Examples.payment(transaction), Examples.terms());
  }

  private static PaymentPayload payment(String scheme, String network) {
    return Examples.payment(scheme, network, Examples.PUBLISHED);
  }

  private static String reason(Verification verification) {
    return verification instanceof Verification.Invalid invalid ? invalid.reason() : null;
  }

  private static String payer(List<Instruction> instructions) {
    return Examples.signed(instructions, Examples.PAYER).toBase64();
  }

  private static String transfer(Instruction... more) {
    return payer(Examples.around(Examples.transfer().toInstruction(), more));
  }

  private static String replaced(int place, Instruction instruction) {
    List<Instruction> all =
        new ArrayList<>(Examples.around(Examples.transfer().toInstruction(), MEMO));
    all.set(place, instruction);
    boolean paying = all.get(2).program().equals(Programs.TOKEN);
    return paying ? payer(all) : Examples.signed(all).toBase64();
  }

  private static String moved(TransferChecked transfer) {
    return payer(Examples.around(transfer.toInstruction(), MEMO));
  }

  private static TransferChecked amount(long amount) {
    return Examples.transfer(
        Examples.PAYER.address(), Examples.SELLER.address(), Programs.TOKEN, amount);
  }

  private static Instruction unknown() {
    return new Instruction(UNKNOWN_PROGRAM, new byte[] {2});
  }

  /** The published message with a table of accounts, signed by the payer. */
  private static String withLookup() {
    byte[] message = SolanaTransaction.readBase64(Examples.PUBLISHED).bytes();
    byte[] more =
        new WireWriter()
            .bytes(Arrays.copyOf(message, message.length - 1))
            .count(1)
            .bytes(new byte[32])
            .array(new byte[] {1})
            .array(new byte[0])
            .toBytes();
    WireWriter wire = new WireWriter().count(2).bytes(new byte[128]).bytes(more);
    return SolanaTransaction.read(wire.toBytes()).signedBy(Examples.PAYER).toBase64();
  }
}
