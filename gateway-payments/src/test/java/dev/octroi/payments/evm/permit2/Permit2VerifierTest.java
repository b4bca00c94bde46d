package dev.octroi.payments.evm.permit2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExactPermit2VerifierTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long NOW = 1_999_999_900;
  private static final long DEADLINE = 2_000_000_000;

  /** The node's published third account, whose key everybody knows. */
  private static final byte[] KEY =
      Hex.parse("0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a");

  private static final EvmAddress PAYER =
      EvmAddress.parse("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
  private static final EvmAddress PAY_TO =
      EvmAddress.parse("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
  private static final EvmAddress TOKEN =
      EvmAddress.parse("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
  private static final TransferPermit GOOD =
      new TransferPermit(
          PAYER,
          TOKEN,
          BigInteger.valueOf(10_000),
          Permit2.EXACT_PROXY,
          BigInteger.ONE,
          BigInteger.valueOf(DEADLINE),
          PAY_TO,
          BigInteger.ZERO);

  private final Signatures signatures = Signatures.fastest();
  private final ExactPermit2Verifier verifier =
      new ExactPermit2Verifier(Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), signatures);

  /** Each rule, in the protocol's order, with its reason. */
  enum Rule {
    SCHEME("unsupported_payload_type"),
    NETWORK("invalid_exact_evm_network_mismatch"),
    SPENDER("invalid_permit2_spender"),
    RECIPIENT("invalid_permit2_recipient_mismatch"),
    DEADLINE("permit2_deadline_expired"),
    VALID_AFTER("permit2_not_yet_valid"),
    AMOUNT("permit2_amount_mismatch"),
    TOKEN("permit2_token_mismatch"),
    SIGNATURE("invalid_permit2_signature");

    private final String reason;

    Rule(String reason) {
      this.reason = reason;
    }
  }

  @Test
  void theDigestIsTheKnownAnswer() {
    assertThat(Hex.of(GOOD.digest(8453)))
        .isEqualTo("0x7d1d092d647246490845c1f2f6623d686f4eeee9001ddc2e79b96769ca337c87");
  }

  @Test
  void aGoodPaymentIsValidToItsLastSecond() {
    assertThat(verifier.verify(payment(signed(GOOD)), terms()))
        .isEqualTo(
            new Verification.Valid(
                PAYER.toString(),
                "0x" + "0".repeat(63) + "102",
                Instant.ofEpochSecond(DEADLINE + 1),
                java.util.OptionalLong.empty()));
  }

  @Test
  void theKeyOfAPaymentIsSeenWithoutVerifyingIt() {
    assertThat(EvmPayments.key(payment(signed(GOOD))))
        .contains(new PaymentKey("eip155:8453", PAYER.lowerCase(), "0x" + "0".repeat(63) + "102"));
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void aBrokenRuleGivesItsReason(Rule rule) {
    assertThat(reason(rule)).isEqualTo(rule.reason);
  }

  static Stream<Arguments> pairs() {
    Rule[] rules = Rule.values();
    return IntStream.range(0, rules.length)
        .boxed()
        .flatMap(
            i ->
                IntStream.range(i + 1, rules.length)
                    .mapToObj(j -> Arguments.of(rules[i], rules[j])));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void ofTwoBrokenRulesTheEarlierGivesTheReason(Rule earlier, Rule later) {
    assertThat(reason(later, earlier)).isEqualTo(earlier.reason);
  }

  @ParameterizedTest
  @CsvSource({"5,late", "6,valid", "300,valid", "310,valid", "311,invalid", "-100,late"})
  void aPermitLivesSixSecondsToItsTimeoutAndSomeSkew(long life, String outcome) {
    TransferPermit permit = with(GOOD, GOOD.nonce(), BigInteger.valueOf(NOW + life));

    Verification verification = verifier.verify(payment(signed(permit)), terms());

    assertThat(verification.getClass().getSimpleName()).isEqualToIgnoringCase(outcome);
  }

  @Test
  void aDeadlineOfAllBitsIsRefusedAndNoErrorOfOurs() {
    BigInteger most = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

    assertThat(verifier.verify(payment(signed(with(GOOD, most, most))), terms()))
        .isEqualTo(new Verification.Invalid("permit2_deadline_expired", PAYER.toString()));
  }

  @Test
  void theWholeRangeOfNoncesIsTaken() {
    BigInteger most = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

    assertThat(verifier.verify(payment(signed(with(GOOD, most, GOOD.deadline()))), terms()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> assertThat(valid.nonce()).isEqualTo("0x" + "f".repeat(64) + "02"));
  }

  @Test
  void whatAContractSignedIsLeftToTheFacilitatorAloneThatCanAsk() {
    PaymentPayload byContract = payment(new SignedPermit(GOOD, new byte[96]));

    assertThat(verifier.verify(byContract, terms())).isInstanceOf(Verification.Invalid.class);
    assertThat(verifier.verifyLeavingContracts(byContract, terms()))
        .isInstanceOf(Verification.Valid.class);
    assertThat(
            verifier.verifyLeavingContracts(payment(new SignedPermit(GOOD, new byte[65])), terms()))
        .isInstanceOf(Verification.Invalid.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"from", "permitted", "spender", "nonce", "deadline", "witness", "signature"})
  void aMissingMemberIsMalformed(String name) {
    ObjectNode payload = JSON.valueToTree(signed(GOOD).toJson());
    payload.remove(name);
    ((ObjectNode) payload.path("permit2Authorization")).remove(name);

    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> verifier.verify(payment(payload), terms()));
  }

  @ParameterizedTest
  @CsvSource({"nonce,0x01", "nonce,-1", "nonce,1e3", "deadline,' 1'", "from,0x01", "spender,''"})
  void aMemberOfAnotherFormIsMalformed(String name, String value) {
    ObjectNode payload = JSON.valueToTree(signed(GOOD).toJson());
    ((ObjectNode) payload.path("permit2Authorization")).put(name, value);

    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> verifier.verify(payment(payload), terms()));
  }

  private String reason(Rule... rules) {
    TransferPermit permit = GOOD;
    PaymentRequirements terms = terms();
    byte[] key = KEY;
    for (Rule rule : rules) {
      permit = broken(rule, permit);
      terms =
          new PaymentRequirements(
              rule == Rule.SCHEME ? "upto" : terms.scheme(),
              rule == Rule.NETWORK ? "eip155:84532" : terms.network(),
              terms.amount(),
              terms.asset(),
              terms.payTo(),
              terms.maxTimeoutSeconds(),
              terms.extra());
      key = rule == Rule.SIGNATURE ? new byte[] {1} : key;
    }
    byte[] signer = key.length == 1 ? Hex.parse("0x" + "11".repeat(32)) : key;
    SignedPermit signed = new SignedPermit(permit, signatures.sign(permit.digest(8453), signer));
    Verification verification = verifier.verify(payment(signed), terms);
    if (verification instanceof Verification.Late late) {
      return late.reason();
    }
    return verification instanceof Verification.Invalid invalid ? invalid.reason() : "valid";
  }

  private static TransferPermit broken(Rule rule, TransferPermit good) {
    return new TransferPermit(
        good.from(),
        rule == Rule.TOKEN ? PAYER : good.token(),
        rule == Rule.AMOUNT ? BigInteger.TEN : good.amount(),
        rule == Rule.SPENDER ? PAYER : good.spender(),
        good.nonce(),
        rule == Rule.DEADLINE ? BigInteger.valueOf(NOW + 5) : good.deadline(),
        rule == Rule.RECIPIENT ? PAYER : good.payTo(),
        rule == Rule.VALID_AFTER ? BigInteger.valueOf(NOW + 1) : good.validAfter());
  }

  private static TransferPermit with(TransferPermit from, BigInteger nonce, BigInteger deadline) {
    return new TransferPermit(
        from.from(),
        from.token(),
        from.amount(),
        from.spender(),
        nonce,
        deadline,
        from.payTo(),
        from.validAfter());
  }

  private SignedPermit signed(TransferPermit permit) {
    return new SignedPermit(permit, signatures.sign(permit.digest(8453), KEY));
  }

  private static PaymentPayload payment(SignedPermit signed) {
    return payment(JSON.valueToTree(signed.toJson()));
  }

  private static PaymentPayload payment(ObjectNode payload) {
    return new PaymentPayload(2, null, null, "exact", "eip155:8453", payload, null, new byte[0]);
  }

  private static PaymentRequirements terms() {
    return new PaymentRequirements(
        "exact",
        "eip155:8453",
        "10000",
        TOKEN.toString(),
        PAY_TO.toString(),
        300,
        Map.of(PaymentOption.TRANSFER_METHOD, Permit2.METHOD));
  }
}
