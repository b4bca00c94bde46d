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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Permit2VerifierTest {

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
          BigInteger.ZERO,
          null);

  /** The node's published first account. */
  private static final EvmAddress FACILITATOR =
      EvmAddress.parse("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");

  private static final TransferPermit GOOD_UPTO =
      new TransferPermit(
          PAYER,
          TOKEN,
          BigInteger.valueOf(10_000),
          Permit2.UPTO_PROXY,
          BigInteger.ONE,
          BigInteger.valueOf(DEADLINE),
          PAY_TO,
          BigInteger.ZERO,
          FACILITATOR);

  private final Signatures signatures = Signatures.fastest();
  private final Permit2Verifier verifier =
      new Permit2Verifier(Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), signatures);

  /** Each rule, in the protocol's order, with its reason. */
  enum Rule {
    SCHEME("unsupported_payload_type", "invalid_upto_evm_scheme"),
    NETWORK("invalid_exact_evm_network_mismatch", "invalid_upto_evm_network_mismatch"),
    SPENDER("invalid_permit2_spender"),
    RECIPIENT("invalid_permit2_recipient_mismatch"),
    FACILITATOR("", "upto_facilitator_mismatch"),
    DEADLINE("permit2_deadline_expired"),
    VALID_AFTER("permit2_not_yet_valid"),
    AMOUNT("permit2_amount_mismatch"),
    TOKEN("permit2_token_mismatch"),
    SIGNATURE("invalid_permit2_signature");

    private final String reason;
    private final String reasonOfUpto;

    Rule(String reason, String reasonOfUpto) {
      this.reason = reason;
      this.reasonOfUpto = reasonOfUpto;
    }

    Rule(String reason) {
      this(reason, reason);
    }

    String reason(boolean upto) {
      return upto ? reasonOfUpto : reason;
    }

    /** Those of a scheme. */
    static List<Rule> of(boolean upto) {
      return Stream.of(values()).filter(rule -> upto || rule != FACILITATOR).toList();
    }
  }

  @Test
  void theDigestIsTheKnownAnswer() {
    assertThat(Hex.of(GOOD.digest(8453)))
        .isEqualTo("0x7d1d092d647246490845c1f2f6623d686f4eeee9001ddc2e79b96769ca337c87");
    assertThat(Hex.of(GOOD_UPTO.digest(8453)))
        .isEqualTo("0x258b386fc1f390bd3ae512cca64d4f276d531b05063248d514d2bd72cf34011c");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGoodPaymentIsValidToItsLastSecond(boolean upto) {
    assertThat(verifier.verify(payment(signed(upto ? GOOD_UPTO : GOOD)), terms(upto)))
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

  /** Each rule with each later one, and with itself. */
  static Stream<Arguments> pairs() {
    return Stream.of(false, true)
        .flatMap(
            upto ->
                Rule.of(upto).stream()
                    .flatMap(
                        one ->
                            Rule.of(upto).stream()
                                .filter(other -> other.compareTo(one) >= 0)
                                .map(other -> Arguments.of(upto, one, other))));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void ofBrokenRulesTheEarlierGivesTheReason(boolean upto, Rule earlier, Rule later) {
    assertThat(reason(upto, later, earlier)).isEqualTo(earlier.reason(upto));
  }

  @Test
  void noSchemeTakesThePermitOfTheOther() {
    PaymentPayload exact = payment("upto", JSON.valueToTree(signed(GOOD).toJson()));
    PaymentPayload upto = payment("exact", JSON.valueToTree(signed(GOOD_UPTO).toJson()));

    assertThat(verifier.verify(exact, terms(true)))
        .isEqualTo(new Verification.Invalid("unsupported_payload_type", null));
    assertThat(verifier.verify(upto, terms(false)))
        .isEqualTo(new Verification.Invalid("invalid_permit2_spender", PAYER.toString()));
  }

  @Test
  void termsOfUptoThatNameNoFacilitatorAreMetByNone() {
    PaymentRequirements named = terms(true);
    PaymentRequirements terms =
        new PaymentRequirements(
            named.scheme(),
            named.network(),
            named.amount(),
            named.asset(),
            named.payTo(),
            300,
            null);

    assertThat(verifier.verify(payment(signed(GOOD_UPTO)), terms))
        .isEqualTo(new Verification.Invalid("upto_facilitator_mismatch", PAYER.toString()));
    assertThat(Permit2.isMethodOf(terms)).isTrue();
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
        .isThrownBy(() -> verifier.verify(payment("exact", payload), terms()));
  }

  @ParameterizedTest
  @CsvSource({"nonce,0x01", "nonce,-1", "nonce,1e3", "deadline,' 1'", "from,0x01", "spender,''"})
  void aMemberOfAnotherFormIsMalformed(String name, String value) {
    ObjectNode payload = JSON.valueToTree(signed(GOOD).toJson());
    ((ObjectNode) payload.path("permit2Authorization")).put(name, value);

    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> verifier.verify(payment("exact", payload), terms()));
  }

  private String reason(boolean upto, Rule... rules) {
    TransferPermit permit = upto ? GOOD_UPTO : GOOD;
    PaymentRequirements terms = terms(upto);
    String scheme = terms.scheme();
    byte[] key = KEY;
    for (Rule rule : rules) {
      permit = broken(rule, permit);
      scheme = rule == Rule.SCHEME ? "another" : scheme;
      terms =
          new PaymentRequirements(
              terms.scheme(),
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
    PaymentPayload payment = payment(scheme, JSON.valueToTree(signed.toJson()));
    Verification verification = verifier.verify(payment, terms);
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
        rule == Rule.VALID_AFTER ? BigInteger.valueOf(NOW + 1) : good.validAfter(),
        rule == Rule.FACILITATOR ? PAYER : good.facilitator());
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
        from.validAfter(),
        from.facilitator());
  }

  private SignedPermit signed(TransferPermit permit) {
    return new SignedPermit(permit, signatures.sign(permit.digest(8453), KEY));
  }

  private static PaymentPayload payment(SignedPermit signed) {
    String scheme = signed.permit().facilitator() == null ? "exact" : "upto";
    return payment(scheme, JSON.valueToTree(signed.toJson()));
  }

  private static PaymentPayload payment(String scheme, ObjectNode payload) {
    return new PaymentPayload(2, null, null, scheme, "eip155:8453", payload, null, new byte[0]);
  }

  private static PaymentRequirements terms() {
    return terms(false);
  }

  private static PaymentRequirements terms(boolean upto) {
    return new PaymentRequirements(
        upto ? "upto" : "exact",
        "eip155:8453",
        "10000",
        TOKEN.toString(),
        PAY_TO.toString(),
        300,
        Map.of(
            PaymentOption.TRANSFER_METHOD,
            Permit2.METHOD,
            PaymentOption.FACILITATOR,
            FACILITATOR.toString()));
  }
}
