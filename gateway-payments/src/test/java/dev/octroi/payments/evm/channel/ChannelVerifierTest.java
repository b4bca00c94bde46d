package dev.octroi.payments.evm.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmPayments;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelVerifierTest {

  private static final long NOW = 1_999_999_900;
  private static final long UNTIL = NOW + 200;
  private static final long PRICE = 10_000;
  private static final PaymentRequirements TERMS = ChannelSamples.terms(PRICE);
  private static final ChannelConfig CONFIG = ChannelSamples.config(0);
  private static final String ID = Hex.of(CONFIG.id(ChannelSamples.CHAIN));
  private static final EvmAddress OTHER = EvmAddress.parse("0x" + "0b".repeat(20));

  private final ChannelVerifier verifier =
      new ChannelVerifier(
          Clock.fixed(Instant.ofEpochSecond(NOW), ZoneOffset.UTC), Signatures.fastest());

  @Test
  void aVoucherIsGoodAsLongAsACallMayTake() {
    Verification said = verify(ChannelSamples.voucher(CONFIG, 17_000));

    assertThat(said)
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> {
              assertThat(valid.payer()).isEqualTo(ChannelSamples.PAYER.toString());
              assertThat(valid.account()).isEqualTo(ID);
              assertThat(valid.validBefore()).isEqualTo(Instant.ofEpochSecond(NOW + 300));
              assertThat(valid.spendable()).isEmpty();
              ChannelUse use = valid.channel().orElseThrow();
              assertThat(use.before()).isEqualTo(7_000);
              assertThat(use.deposit()).isEmpty();
              assertThat(use.payer()).isEqualTo(ChannelSamples.PAYER.toString());
            });
  }

  @Test
  void aDepositComesWithAVoucher() {
    Verification said = verify(deposit(CONFIG, 50_000, UNTIL));

    assertThat(said)
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> {
              assertThat(valid.validBefore()).isEqualTo(Instant.ofEpochSecond(UNTIL));
              assertThat(valid.channel().orElseThrow().deposit())
                  .contains(
                      new ChannelUse.Deposit(
                          Hex.of(
                              ChannelSamples.deposit(CONFIG, 50_000, 1, UNTIL)
                                  .nonce(CONFIG.id(ChannelSamples.CHAIN))),
                          50_000));
            });
  }

  @Test
  void aRefundBuysNothing() {
    ChannelPayload all =
        ChannelSamples.payload(ChannelPayload.Kind.REFUND, CONFIG, 7_000, null, null);
    ChannelPayload some =
        ChannelSamples.payload(ChannelPayload.Kind.REFUND, CONFIG, 7_000, null, 30L);

    assertThat(verify(all))
        .isInstanceOfSatisfying(
            Verification.Refund.class,
            refund -> {
              assertThat(refund.channel().before()).isEqualTo(7_000);
              assertThat(refund.amount()).isEmpty();
            });
    assertThat(verify(some))
        .isInstanceOfSatisfying(
            Verification.Refund.class, refund -> assertThat(refund.amount()).hasValue(30));
  }

  /** Each rule broken alone, with its reason. */
  static Stream<Arguments> broken() {
    return Stream.of(
        rule("channel_id_invalid", json -> voucher(json).put("channelId", "0x0102")),
        rule("channel_id_mismatch", json -> voucher(json).put("channelId", "0x" + "01".repeat(32))),
        rule("payload_type", json -> json.put("type", "claim")),
        rule("payload_type", json -> json.remove("type")),
        rule("voucher_signature", json -> voucher(json).put("signature", "0x" + "01".repeat(65))),
        rule("voucher_signature", json -> voucher(json).put("signature", "0x")),
        rule("voucher_signature", json -> voucher(json).put("maxClaimableAmount", "10001")));
  }

  private static Arguments rule(String reason, Consumer<ObjectNode> breaks) {
    return Arguments.of(reason, breaks);
  }

  private static ObjectNode voucher(ObjectNode json) {
    return (ObjectNode) json.path("voucher");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void whatWasSignedIsHeldAgainstThePayload(String reason, Consumer<ObjectNode> breaks) {
    ObjectNode json = ChannelSamples.json(ChannelSamples.voucher(CONFIG, PRICE));
    breaks.accept(json);

    assertInvalid(verifier.verify(ChannelSamples.payment(json, TERMS), TERMS), reason);
  }

  /** ChannelSamples that are signed as they should be, and are not the offer's. */
  static Stream<Arguments> others() {
    return Stream.of(
        Arguments.of(
            "receiver_mismatch", config(OTHER, ChannelSamples.AUTHORIZER, token(), 86_400)),
        Arguments.of(
            "receiver_authorizer_mismatch",
            config(ChannelSamples.RECEIVER, OTHER, token(), 86_400)),
        Arguments.of(
            "token_mismatch",
            config(ChannelSamples.RECEIVER, ChannelSamples.AUTHORIZER, OTHER, 86_400)),
        Arguments.of(
            "withdraw_delay_mismatch",
            config(ChannelSamples.RECEIVER, ChannelSamples.AUTHORIZER, token(), 86_401)),
        Arguments.of(
            "withdraw_delay_out_of_range",
            config(ChannelSamples.RECEIVER, ChannelSamples.AUTHORIZER, token(), 899)),
        Arguments.of(
            "withdraw_delay_out_of_range",
            config(ChannelSamples.RECEIVER, ChannelSamples.AUTHORIZER, token(), 2_592_001)));
  }

  private static EvmAddress token() {
    return CONFIG.token();
  }

  private static ChannelConfig config(
      EvmAddress receiver, EvmAddress authorizer, EvmAddress token, long delay) {
    return new ChannelConfig(
        CONFIG.payer(),
        CONFIG.payerAuthorizer(),
        receiver,
        authorizer,
        token,
        delay,
        CONFIG.salt());
  }

  @ParameterizedTest
  @MethodSource("others")
  void theChannelIsTheOffers(String reason, ChannelConfig other) {
    assertInvalid(verify(ChannelSamples.voucher(other, PRICE)), reason);
    assertInvalid(verify(deposit(other, 50_000, UNTIL)), reason);
  }

  @Test
  void itsAuthorizerSignsAndNotItsPayer() {
    ChannelConfig delegated =
        new ChannelConfig(
            CONFIG.payer(),
            OTHER,
            CONFIG.receiver(),
            CONFIG.receiverAuthorizer(),
            CONFIG.token(),
            CONFIG.withdrawDelay(),
            CONFIG.salt());
    ChannelConfig undelegated =
        new ChannelConfig(
            CONFIG.payer(),
            EvmAddress.parse("0x" + "00".repeat(20)),
            CONFIG.receiver(),
            CONFIG.receiverAuthorizer(),
            CONFIG.token(),
            CONFIG.withdrawDelay(),
            CONFIG.salt());

    assertInvalid(verify(ChannelSamples.voucher(delegated, PRICE)), "voucher_signature");
    assertThat(verify(ChannelSamples.voucher(undelegated, PRICE)))
        .isInstanceOf(Verification.Valid.class);
  }

  /** Each rule of deposits broken alone. */
  static Stream<Arguments> deposits() {
    return Stream.of(
        rule("receive_authorization_signature", json -> deposit(json).put("amount", "50001")),
        rule("receive_authorization_signature", json -> authorization(json).put("salt", "0x02")),
        rule(
            "payload_authorization_valid_after",
            json -> authorization(json).put("validAfter", Long.toString(NOW + 1))),
        rule(
            "payload_authorization_valid_before",
            json -> authorization(json).put("validBefore", Long.toString(NOW + 311))),
        rule(
            "erc3009_authorization_required",
            json -> ((ObjectNode) deposit(json).path("authorization")).removeAll()));
  }

  private static ObjectNode deposit(ObjectNode json) {
    return (ObjectNode) json.path("deposit");
  }

  private static ObjectNode authorization(ObjectNode json) {
    return (ObjectNode) json.at("/deposit/authorization/erc3009Authorization");
  }

  @ParameterizedTest
  @MethodSource("deposits")
  void aDepositIsHeldAgainstItsSignature(String reason, Consumer<ObjectNode> breaks) {
    ObjectNode json = ChannelSamples.json(deposit(CONFIG, 50_000, UNTIL));
    breaks.accept(json);

    assertInvalid(verifier.verify(ChannelSamples.payment(json, TERMS), TERMS), reason);
  }

  @Test
  void aDepositOfNothingIsNone() {
    assertInvalid(verify(deposit(CONFIG, 0, UNTIL)), "receive_authorization_signature");
  }

  /** It may have paid in its time, so that the ledger is asked. */
  @Test
  void aDepositThatIsOverIsLate() {
    assertThat(verify(deposit(CONFIG, 50_000, NOW + 6))).isInstanceOf(Verification.Valid.class);
    assertThat(verify(deposit(CONFIG, 50_000, NOW + 5)))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late ->
                assertThat(late.reason())
                    .isEqualTo("invalid_batch_settlement_evm_payload_authorization_valid_before"));
  }

  @Test
  void termsWithoutATokensDomainTakeNoDeposit() {
    Map<String, Object> extra = new HashMap<>(TERMS.extra());
    extra.remove("name");
    PaymentRequirements nameless = with(TERMS.scheme(), TERMS.network(), extra);

    assertInvalid(
        verifier.verify(
            ChannelSamples.payment(ChannelSamples.json(deposit(CONFIG, 50_000, UNTIL)), nameless),
            nameless),
        "missing_eip712_domain");
  }

  @Test
  void schemeAndNetworkAreTheOffers() {
    ObjectNode json = ChannelSamples.json(ChannelSamples.voucher(CONFIG, PRICE));
    PaymentRequirements exact = with("exact", TERMS.network(), TERMS.extra());
    PaymentRequirements elsewhere = with(TERMS.scheme(), "eip155:84532", TERMS.extra());

    assertInvalid(verifier.verify(ChannelSamples.payment(json, exact), TERMS), "scheme");
    assertInvalid(
        verifier.verify(ChannelSamples.payment(json, elsewhere), TERMS), "network_mismatch");
    assertInvalid(
        verifier.verify(ChannelSamples.payment(json, elsewhere), elsewhere), "channel_id_mismatch");
  }

  private static PaymentRequirements with(
      String scheme, String network, Map<String, Object> extra) {
    return new PaymentRequirements(
        scheme, network, TERMS.amount(), TERMS.asset(), TERMS.payTo(), 300, extra);
  }

  /** What a payer cannot have been charged is no base of a voucher. */
  @ParameterizedTest
  @ValueSource(
      strings = {"0", "9999", "1000000000010001", "340282366920938463463374607431768211455"})
  void noVoucherIsBuiltOnWhatCannotHaveBeenCharged(String max) {
    Voucher voucher = new Voucher(CONFIG.id(ChannelSamples.CHAIN), new BigInteger(max));
    ChannelPayload payload =
        new ChannelPayload(
            ChannelPayload.Kind.VOUCHER,
            CONFIG,
            voucher,
            ChannelSamples.sign(voucher.digest(ChannelSamples.CHAIN)),
            null,
            null);

    assertThat(verify(payload))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid ->
                assertThat(valid.channel().orElseThrow().before())
                    .isEqualTo(ChannelUse.IMPOSSIBLE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/voucher maxClaimableAmount -1",
        "/voucher maxClaimableAmount 340282366920938463463374607431768211456",
        "/channelConfig salt 0x01",
        "/channelConfig withdrawDelay 86400",
        "/channelConfig payer 0x01",
        "/voucher channelId x"
      })
  void aPayloadOfAnotherFormCannotBeRead(String change) {
    List<String> parts = List.of(change.split(" "));
    ObjectNode json = ChannelSamples.json(ChannelSamples.voucher(CONFIG, PRICE));
    ((ObjectNode) json.at(parts.get(0))).put(parts.get(1), parts.get(2));

    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> verifier.verify(ChannelSamples.payment(json, TERMS), TERMS));
  }

  @Test
  void thePaymentsKeyIsReadFromItsEnvelope() {
    ObjectNode json = ChannelSamples.json(ChannelSamples.voucher(CONFIG, 17_000));

    assertThat(EvmPayments.key(ChannelSamples.payment(json, TERMS)))
        .contains(
            new PaymentKey(
                TERMS.network(),
                ID,
                ChannelNonce.key(
                    BigInteger.valueOf(17_000), BigInteger.valueOf(PRICE), Optional.empty())));
  }

  private Verification verify(ChannelPayload payload) {
    return verifier.verify(ChannelSamples.payment(ChannelSamples.json(payload), TERMS), TERMS);
  }

  private static ChannelPayload deposit(ChannelConfig config, long amount, long until) {
    return ChannelSamples.payload(
        ChannelPayload.Kind.DEPOSIT,
        config,
        PRICE,
        ChannelSamples.deposit(config, amount, 1, until),
        null);
  }

  private static void assertInvalid(Verification said, String reason) {
    assertThat(said)
        .isInstanceOfSatisfying(
            Verification.Invalid.class,
            invalid ->
                assertThat(invalid.reason()).isEqualTo("invalid_batch_settlement_evm_" + reason));
  }
}
