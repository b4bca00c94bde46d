package dev.octroi.payments.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelSamples;
import dev.octroi.payments.evm.channel.ChannelVerifier;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payer of channels signs, and what no server gets it to sign. */
class ChannelSignerTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PaymentRequirements TERMS = ChannelSamples.terms(10_000);

  private final Wallet wallet = Wallet.generate();
  private final ChannelVerifier verifier =
      new ChannelVerifier(Clock.systemUTC(), Signatures.fastest());
  private final ChannelSigner signer =
      new PaymentSigner(wallet, Clock.systemUTC()).channels(Usd.parse("0.06"));

  @Test
  void aQuestionPermitsNothingAndBringsNoMoney() {
    ChannelPayload question = read(signer.question(challenge(TERMS), TERMS));

    assertThat(question.kind()).isEqualTo(ChannelPayload.Kind.VOUCHER);
    assertThat(question.voucher().maxClaimable()).isZero();
  }

  @Test
  void aServerThatKnowsNoChannelGetsADepositOfFivePrices() {
    ChannelUse use = use(told(TERMS), TERMS);

    assertThat(use.payer()).isEqualTo(wallet.address().toString());
    assertThat(use.before()).isZero();
    assertThat(use.deposit()).map(ChannelUse.Deposit::amount).contains(50_000L);
  }

  @ParameterizedTest
  @CsvSource({"50000,", "14000,", "13999, 50000", "4000, 50000", "0, 50000"})
  void whatWasChargedIsPaidOnFromAndWhatIsMissingIsPutIn(long balance, Long deposit) {
    ChannelUse use = use(told(stating(4_000, 10_000, balance)), TERMS);

    assertThat(use.before()).isEqualTo(4_000);
    assertThat(use.deposit().map(ChannelUse.Deposit::amount).orElse(null)).isEqualTo(deposit);
  }

  @Test
  void theVoucherPermitsThePriceThatWasAskedAndNotALaterOne() {
    PaymentRequirements dearer = stating(4_000, 10_000, 50_000).atUnits("900000");

    assertThat(read(told(dearer).sign(challenge(TERMS), TERMS)).voucher().maxClaimable())
        .isEqualTo(14_000);
  }

  @ParameterizedTest
  @CsvSource({"30000, 30000", "70000, 60000", "1, 10000", "-5, 50000", "much, 50000"})
  void aDepositIsWhatTheServerWantsBetweenThePriceAndTheMost(String wanted, String deposit) {
    PaymentRequirements terms = with(TERMS, Map.of("minDeposit", wanted));

    assertThat(signer.deposit(terms)).contains(new Usd(Long.parseLong(deposit)));
  }

  @Test
  void aPriceAboveTheMostIsNotSigned() {
    PaymentRequirements dear = TERMS.atUnits("60001");

    assertThatThrownBy(() -> signer.payload(dear)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> told(stating(4_000, 10_000, 900_000)).payload(dear))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The members that a lying server states in place of the good ones. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"channelId\":\"0x00\"}",
        "{\"chargedCumulativeAmount\":\"10001\"}",
        "{\"chargedCumulativeAmount\":\"-1\"}",
        "{\"chargedCumulativeAmount\":4000}",
        "{\"balance\":null}",
        "{\"signedMaxClaimable\":\"10001\"}",
        "{\"signedMaxClaimable\":\"0\"}",
        "{\"signature\":\"0x\"}",
        "{\"signature\":\"none\"}",
        "{\"signature\":\"another wallet's\"}",
        "{\"signature\":\"another channel's\"}",
        "{\"voucherState\":null}"
      })
  void aServerThatLiesAboutTheChannelGetsNothingSigned(String lie) throws Exception {
    PaymentRequirements lying = stating(4_000, 10_000, 50_000);
    ObjectNode state = (ObjectNode) lying.extra("channelState").orElseThrow();
    ObjectNode voucher = (ObjectNode) lying.extra("voucherState").orElseThrow();
    Map<String, Object> extra = new HashMap<>(lying.extra());
    JSON.readTree(lie)
        .properties()
        .forEach(
            member -> {
              if (extra.remove(member.getKey()) == null) {
                ObjectNode part = state.has(member.getKey()) ? state : voucher;
                part.set(member.getKey(), member.getValue());
              }
            });
    String signature = voucher.path("signature").asText();
    if (signature.startsWith("another wallet")) {
      voucher.put("signature", signed(Wallet.generate(), id(), 10_000));
    } else if (signature.startsWith("another channel")) {
      voucher.put("signature", signed(wallet, new byte[32], 10_000));
    }

    assertThatThrownBy(() -> told(lying.with(extra)))
        .isInstanceOfAny(PaymentDeclined.class, MalformedPayment.class);
  }

  @Test
  void anotherSchemeOrAnOfferThatNamesNoChannelIsNotSigned() {
    assertThat(signer.signs(TERMS)).isTrue();
    assertThat(signer.signs(with(TERMS, Map.of("receiverAuthorizer", "nobody")))).isFalse();
    assertThat(signer.signs(with(TERMS, Map.of("withdrawDelay", "899")))).isFalse();
    assertThat(new PaymentSigner(wallet, Clock.systemUTC()).signs(TERMS)).isFalse();
  }

  @Test
  void whereATokenTakesNoAuthorizationPermit2MovesTheDeposit() {
    Map<String, Object> extra = new HashMap<>(TERMS.extra());
    extra.keySet().removeAll(List.of("name", "version"));
    assertThat(signer.signs(TERMS.with(extra))).isFalse();
    extra.put("assetTransferMethod", "permit2");
    PaymentRequirements terms = TERMS.with(extra);

    assertThat(signer.signs(terms)).isTrue();
    assertThat(use(told(terms), terms).deposit()).map(ChannelUse.Deposit::amount).contains(50_000L);
  }

  private ChannelUse use(ChannelSigner signing, PaymentRequirements terms) {
    PaymentPayload payment = PaymentPayload.read(signing.sign(challenge(terms), terms));
    return ((Verification.Valid) verifier.verify(payment, terms)).channel().orElseThrow();
  }

  /** The offer as a server states it that has charged this wallet. */
  private PaymentRequirements stating(long charged, long signed, long balance) {
    ObjectNode state =
        JSON.createObjectNode()
            .put("channelId", Hex.of(id()))
            .put("balance", Long.toString(balance))
            .put("chargedCumulativeAmount", Long.toString(charged));
    ObjectNode voucher =
        JSON.createObjectNode()
            .put("signedMaxClaimable", Long.toString(signed))
            .put("signature", signed(wallet, id(), signed));
    return with(TERMS, Map.of("channelState", state, "voucherState", voucher));
  }

  private byte[] id() {
    return read(signer.question(challenge(TERMS), TERMS)).voucher().channelId();
  }

  private static String signed(Wallet by, byte[] channel, long max) {
    return Hex.of(
        by.sign(new Voucher(channel, BigInteger.valueOf(max)).digest(ChannelSamples.CHAIN)));
  }

  private static PaymentRequirements with(PaymentRequirements terms, Map<String, Object> more) {
    Map<String, Object> extra = new HashMap<>(terms.extra());
    extra.putAll(more);
    return terms.with(extra);
  }

  /** The signer that goes on from an answer that offers this. */
  private ChannelSigner told(PaymentRequirements offer) {
    HttpHeaders none = HttpHeaders.of(Map.of(), (name, value) -> true);
    return signer.told(
        new PaidAnswer(402, none, body(offer), null, "question", null, "mismatch"), TERMS);
  }

  private static ChannelPayload read(String payment) {
    return ChannelPayload.read(PaymentPayload.read(payment).payload()).orElseThrow();
  }

  private static PaymentRequired challenge(PaymentRequirements offer) {
    return PaymentRequired.readBody(body(offer));
  }

  private static byte[] body(PaymentRequirements offer) {
    ObjectNode challenge = JSON.createObjectNode().put("x402Version", 2);
    challenge.set("resource", JSON.createObjectNode().put("url", "https://api.example.com/x"));
    challenge.putArray("accepts").add(JSON.<ObjectNode>valueToTree(offer));
    return challenge.toString().getBytes(StandardCharsets.UTF_8);
  }
}
