package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExactEvmVerifierTest {

  private static final long NOW = Examples.VALID_BEFORE - 60;
  private static final byte[] KEY = Keccak.hash(new byte[] {1});
  private static final byte[] OTHER_KEY = Keccak.hash(new byte[] {2});

  private final Signatures signatures = Signatures.fastest();
  private final ExactEvmVerifier verifier =
      new ExactEvmVerifier(Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), signatures);

  /** Each rule, in the protocol's order, with its reason. */
  enum Rule {
    SCHEME("invalid_exact_evm_scheme"),
    DOMAIN("invalid_exact_evm_missing_eip712_domain"),
    NETWORK("invalid_exact_evm_network_mismatch"),
    SIGNATURE("invalid_exact_evm_signature"),
    RECIPIENT("invalid_exact_evm_recipient_mismatch"),
    VALID_BEFORE("invalid_exact_evm_payload_authorization_valid_before"),
    VALID_AFTER("invalid_exact_evm_payload_authorization_valid_after"),
    VALUE("invalid_exact_evm_payload_authorization_value_mismatch");

    private final String reason;

    Rule(String reason) {
      this.reason = reason;
    }
  }

  @Test
  @Tag("spec:x402.known_answer")
  void thePublishedPaymentIsValid() {
    PaymentPayload payment = Examples.payment(Examples.published(), Examples.terms());

    assertThat(verifier.verify(payment, Examples.terms()))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> {
              assertThat(valid.payer()).isEqualTo(Examples.PAYER.toString());
              assertThat(valid.nonce()).startsWith("0xf3746613").hasSize(66);
              assertThat(valid.validBefore())
                  .isEqualTo(Instant.ofEpochSecond(Examples.VALID_BEFORE));
            });
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  @Tag("spec:x402.verify.scheme")
  @Tag("spec:x402.verify.missing_eip712_domain")
  @Tag("spec:x402.verify.network_mismatch")
  @Tag("spec:x402.verify.signature")
  @Tag("spec:x402.verify.recipient_mismatch")
  @Tag("spec:x402.verify.valid_before")
  @Tag("spec:x402.verify.valid_after")
  @Tag("spec:x402.verify.value_mismatch")
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
  @Tag("spec:x402.verify.order")
  void ofTwoBrokenRulesTheEarlierGivesTheReason(Rule earlier, Rule later) {
    assertThat(reason(later, earlier)).isEqualTo(earlier.reason);
  }

  @ParameterizedTest
  @CsvSource({"5,false", "6,true", "300,true", "310,true", "311,false", "1000000,false"})
  @Tag("spec:x402.verify.valid_before")
  void anAuthorizationLivesSixSecondsToItsTimeoutAndSomeSkew(long life, boolean valid) {
    TransferAuthorization authorization =
        authorization(Examples.PAY_TO, 10000, NOW, BigInteger.valueOf(NOW + life));

    assertThat(isValid(authorization)).isEqualTo(valid);
  }

  @ParameterizedTest
  @CsvSource({
    "5,10000,true",
    "0,10000,true",
    "-1000000,10000,true",
    "6,10000,false",
    "5,9999,false"
  })
  @Tag("spec:money.3")
  void onlyAPaymentThatIsGoodButForItsTimeIsLate(long life, long value, boolean late) {
    TransferAuthorization authorization =
        authorization(Examples.PAY_TO, value, NOW - 2_000_000, BigInteger.valueOf(NOW + life));
    PaymentRequirements terms = Examples.terms();
    SignedAuthorization signed =
        Examples.signed(authorization, EvmToken.BASE_SEPOLIA_USDC.domain(), KEY);

    assertThat(verifier.verify(Examples.payment(signed, terms), terms) instanceof Verification.Late)
        .isEqualTo(late);
  }

  @ParameterizedTest
  @CsvSource({"-1000000000,true", "-600,true", "0,true", "1,false"})
  @Tag("spec:x402.verify.valid_after")
  void anAuthorizationBeginsNowOrEarlier(long sinceNow, boolean valid) {
    TransferAuthorization authorization =
        authorization(Examples.PAY_TO, 10000, NOW + sinceNow, BigInteger.valueOf(NOW + 100));

    assertThat(isValid(authorization)).isEqualTo(valid);
  }

  @ParameterizedTest
  @CsvSource({"9999", "10001", "0"})
  @Tag("spec:x402.verify.value_mismatch")
  void aPaymentOfMoreOrLessIsRefused(long value) {
    assertThat(isValid(authorization(Examples.PAY_TO, value, NOW, BigInteger.valueOf(NOW + 100))))
        .isFalse();
  }

  @Test
  void aNumberNearTwoToThe256IsComparedAndNotCutOff() {
    BigInteger wrapped = BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(NOW + 100));

    assertThat(isValid(authorization(Examples.PAY_TO, 10000, NOW, wrapped))).isFalse();
  }

  private boolean isValid(TransferAuthorization authorization) {
    PaymentRequirements terms = Examples.terms();
    SignedAuthorization signed =
        Examples.signed(authorization, EvmToken.BASE_SEPOLIA_USDC.domain(), KEY);
    return verifier.verify(Examples.payment(signed, terms), terms) instanceof Verification.Valid;
  }

  /** The reason for a payment, otherwise good, that breaks these rules. */
  private String reason(Rule... broken) {
    PaymentRequirements terms = Examples.terms();
    PaymentRequirements ours = terms;
    TransferAuthorization authorization =
        authorization(Examples.PAY_TO, 10000, NOW, BigInteger.valueOf(NOW + 100));
    byte[] key = KEY;
    for (Rule rule : broken) {
      ours = brokenTerms(rule, ours);
      authorization = brokenAuthorization(rule, authorization);
      key = rule == Rule.SIGNATURE ? OTHER_KEY : key;
    }
    SignedAuthorization signed =
        Examples.signed(authorization, EvmToken.BASE_SEPOLIA_USDC.domain(), key);
    Verification verification = verifier.verify(Examples.payment(signed, terms), ours);
    if (verification instanceof Verification.Late late) {
      return late.reason();
    }
    return verification instanceof Verification.Invalid invalid ? invalid.reason() : "valid";
  }

  private static PaymentRequirements brokenTerms(Rule rule, PaymentRequirements terms) {
    return new PaymentRequirements(
        rule == Rule.SCHEME ? "upto" : terms.scheme(),
        rule == Rule.NETWORK ? "eip155:8453" : terms.network(),
        terms.amount(),
        terms.asset(),
        terms.payTo(),
        terms.maxTimeoutSeconds(),
        rule == Rule.DOMAIN ? Map.of("name", "USDC") : terms.extra());
  }

  private TransferAuthorization brokenAuthorization(Rule rule, TransferAuthorization good) {
    return switch (rule) {
      case RECIPIENT ->
          copy(good, Examples.PAYER, good.value(), good.validAfter(), good.validBefore());
      case VALID_BEFORE ->
          copy(good, good.to(), good.value(), good.validAfter(), BigInteger.valueOf(NOW + 5));
      case VALID_AFTER ->
          copy(good, good.to(), good.value(), BigInteger.valueOf(NOW + 1), good.validBefore());
      case VALUE -> copy(good, good.to(), BigInteger.TEN, good.validAfter(), good.validBefore());
      default -> good;
    };
  }

  private static TransferAuthorization copy(
      TransferAuthorization from,
      EvmAddress to,
      BigInteger value,
      BigInteger validAfter,
      BigInteger validBefore) {
    return new TransferAuthorization(from.from(), to, value, validAfter, validBefore, from.nonce());
  }

  private TransferAuthorization authorization(
      EvmAddress to, long value, long validAfter, BigInteger validBefore) {
    return new TransferAuthorization(
        signatures.address(KEY),
        to,
        BigInteger.valueOf(value),
        BigInteger.valueOf(validAfter),
        validBefore,
        new byte[32]);
  }
}
