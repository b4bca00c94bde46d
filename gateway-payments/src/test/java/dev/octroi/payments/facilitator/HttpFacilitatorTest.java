package dev.octroi.payments.facilitator;

import static dev.octroi.payments.facilitator.HostileFacilitator.cutOff;
import static dev.octroi.payments.facilitator.HostileFacilitator.drip;
import static dev.octroi.payments.facilitator.HostileFacilitator.huge;
import static dev.octroi.payments.facilitator.HostileFacilitator.json;
import static dev.octroi.payments.facilitator.HostileFacilitator.redirect;
import static dev.octroi.payments.facilitator.HostileFacilitator.reset;
import static dev.octroi.payments.facilitator.HostileFacilitator.silence;
import static dev.octroi.payments.facilitator.HostileFacilitator.twice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorUnavailable;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.x402.FacilitatorRequest;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpFacilitatorTest {

  private static final String SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  private static final String FEE_PAYER = "2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4";
  private static final String HASH = "0x" + "ab".repeat(32);
  private static final String KEY = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  private static final String OTHER_KEY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  private static final String NETWORK = EvmToken.BASE_USDC.network();
  private static final PaymentRequirements TERMS =
      new PaymentRequirements(
          "exact",
          NETWORK,
          "10000",
          EvmToken.BASE_USDC.address().toString(),
          "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
          60,
          Map.of("name", "USD Coin", "version", "2"));

  private final HostileFacilitator first = new HostileFacilitator();
  private final HostileFacilitator second = new HostileFacilitator();
  private final Wallet wallet = Wallet.generate();
  private HttpFacilitator facilitator = facilitator(FacilitatorAuth.NONE, first.base());

  @AfterEach
  void close() {
    facilitator.close();
    first.close();
    second.close();
  }

  private HttpFacilitator facilitator(FacilitatorAuth auth, URI... urls) {
    ExactEvmVerifier checks = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    return new HttpFacilitator(
        new HttpFacilitatorSettings(
            List.of(urls),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofMillis(50),
            Duration.ofMillis(150),
            64 << 10),
        auth,
        List.of(NETWORK, SOLANA),
        Map.of("eip155", checks::verify, "solana", HttpFacilitatorTest::good),
        Clock.systemUTC());
  }

  private static Verification good(PaymentPayload payload, PaymentRequirements terms) {
    return new Verification.Invalid("not_asked", null);
  }

  private void use(URI... urls) {
    facilitator.close();
    facilitator = facilitator(FacilitatorAuth.NONE, urls);
  }

  private PaymentPayload payment() {
    return PaymentPayload.read(
        new PaymentSigner(wallet, Clock.systemUTC())
            .sign(
                new PaymentRequired(
                    2, null, ResourceInfo.at("https://shop.example/x"), List.of(TERMS), null),
                TERMS));
  }

  private static String settled(String transaction) {
    return "{\"success\":true,\"transaction\":\"%s\",\"network\":\"%s\"}"
        .formatted(transaction, NETWORK);
  }

  private static String failed(String reason, String transaction) {
    return "{\"success\":false,\"errorReason\":\"%s\",\"transaction\":\"%s\",\"network\":\"%s\"}"
        .formatted(reason, transaction, NETWORK);
  }

  @Test
  @Tag("spec:x402.facilitator.verify")
  void whatIsSentIsTheStandardRequestWithOurOwnTerms() throws Exception {
    facilitator.verify(payment(), TERMS);

    HostileFacilitator.Asked asked = first.asked("verify").get(0);
    JsonNode request = new ObjectMapper().readTree(asked.body());
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(request.path("x402Version").intValue()).isEqualTo(2);
    assertThat(request.at("/paymentPayload/x402Version").intValue()).isEqualTo(2);
    assertThat(request.at("/paymentPayload/accepted"))
        .isEqualTo(request.at("/paymentRequirements"));
    assertThat(request.at("/paymentPayload/payload/authorization/from").textValue())
        .isEqualTo(wallet.address().toString());
    assertThat(request.at("/paymentRequirements/payTo").textValue()).isEqualTo(TERMS.payTo());
  }

  @Test
  @Tag("spec:x402.v1.envelope")
  void aPaymentInVersion1IsPassedOnInVersion2() throws Exception {
    facilitator.verify(former(payment()), TERMS);

    JsonNode request = new ObjectMapper().readTree(first.asked("verify").get(0).body());
    assertThat(request.path("x402Version").intValue()).isEqualTo(2);
    assertThat(request.at("/paymentPayload").properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder("x402Version", "accepted", "payload");
    assertThat(FacilitatorRequest.read(bytes(request)).terms()).isEqualTo(TERMS);
  }

  /** The same in version 1, as its clients send it. */
  private static PaymentPayload former(PaymentPayload payment) throws Exception {
    Map<String, Object> envelope =
        Map.of(
            "x402Version", 1, "scheme", "exact", "network", "base", "payload", payment.payload());
    return PaymentPayload.read(
        Base64.getEncoder().encodeToString(new ObjectMapper().writeValueAsBytes(envelope)));
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @Tag("spec:x402.facilitator.supported")
  void aFacilitatorThatKnowsVersion1OnlyIsAskedInItsWords() throws Exception {
    first.on(
        "supported",
        json(
            200,
            "{\"kinds\":[{\"x402Version\":1,\"scheme\":\"exact\",\"network\":\"base\"},"
                + "{\"x402Version\":1,\"scheme\":\"exact\",\"network\":\"solana\","
                + "\"extra\":{\"feePayer\":\"%s\"}}]}".formatted(FEE_PAYER)));
    await().until(() -> facilitator.offerExtra(SOLANA).isPresent());
    assertThat(facilitator.offerExtra(NETWORK)).isPresent();

    assertThat(facilitator.verify(payment(), TERMS)).isInstanceOf(Verification.Valid.class);
    first.on("settle", json(200, settled(HASH).replace(NETWORK, "base")));
    assertThat(facilitator.settle(former(payment()), TERMS))
        .isEqualTo(new Settlement.Settled(HASH));
    first.on("settle", json(200, settled(HASH)));
    assertThat(facilitator.settle(payment(), TERMS)).isInstanceOf(Settlement.Unknown.class);

    JsonNode asked = new ObjectMapper().readTree(first.asked("verify").get(0).body());
    assertThat(asked.path("x402Version").intValue()).isEqualTo(1);
    assertThat(asked.at("/paymentPayload/network").textValue()).isEqualTo("base");
    assertThat(asked.at("/paymentRequirements/resource").textValue())
        .isEqualTo("https://shop.example/x");
    FacilitatorRequest read = FacilitatorRequest.read(bytes(asked));
    assertThat(read.x402Version()).isEqualTo(1);
    assertThat(read.terms()).isEqualTo(TERMS);
    assertThat(first.asked("settle").get(0).body()).contains("https://resource.invalid/");
  }

  @Test
  @Tag("spec:money.8")
  void aGoodPaymentIsValidAndItsBalanceUnknown() {
    assertThat(facilitator.verify(payment(), TERMS))
        .isInstanceOfSatisfying(
            Verification.Valid.class,
            valid -> {
              assertThat(valid.payer()).isEqualTo(wallet.address().toString());
              assertThat(valid.spendable()).isEqualTo(OptionalLong.empty());
            });
  }

  @Test
  void whatIsWrongByItselfIsNotSentToAnyFacilitator() {
    PaymentRequirements dearer =
        new PaymentRequirements(
            "exact", NETWORK, "10001", TERMS.asset(), TERMS.payTo(), 60, TERMS.extra());

    assertThat(facilitator.verify(payment(), dearer))
        .isEqualTo(
            new Verification.Invalid(
                "invalid_exact_evm_payload_authorization_value_mismatch",
                wallet.address().toString()));
    assertThat(first.asked("verify")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "200, invalid_exact_evm_nonce_already_used, invalid_exact_evm_nonce_already_used",
    "200, insufficient_funds, insufficient_funds",
    "400, insufficient_funds, insufficient_funds",
    "200, <b>what</b>, invalid_payment"
  })
  void whatTheFacilitatorRefusesMayHaveBeenPaidHereBefore(int status, String reason, String shown) {
    first.on("verify", json(status, "{\"isValid\":false,\"invalidReason\":\"" + reason + "\"}"));

    assertThat(facilitator.verify(payment(), TERMS))
        .isInstanceOfSatisfying(
            Verification.Late.class,
            late -> {
              assertThat(late.reason()).isEqualTo(shown);
              assertThat(late.payment().payer()).isEqualTo(wallet.address().toString());
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "silence",
        "reset",
        "drip",
        "cut off",
        "redirect",
        "huge",
        "5xx",
        "malformed",
        "no boolean",
        "another payer",
        "its own failure",
        "refused connection",
        "deep"
      })
  void aVerificationThatCannotBeHadIsAskedOfTheNext(String trouble) throws Exception {
    misbehave("verify", trouble);
    URI down = trouble.equals("refused connection") ? unreachable() : first.base();
    use(down, second.base());

    assertThat(facilitator.verify(payment(), TERMS)).isInstanceOf(Verification.Valid.class);
    assertThat(second.asked("verify")).hasSize(1);

    use(down);
    assertThatExceptionOfType(FacilitatorUnavailable.class)
        .isThrownBy(() -> facilitator.verify(payment(), TERMS));
  }

  private void misbehave(String verb, String trouble) {
    String good = verb.equals("verify") ? "{\"isValid\":true}" : settled(HASH);
    String no = verb.equals("verify") ? "isValid" : "success";
    first.on(
        verb,
        switch (trouble) {
          case "silence", "refused connection" -> silence();
          case "reset" -> reset();
          case "drip" -> drip();
          case "cut off" -> cutOff(good);
          case "redirect" -> redirect(second.base().resolve("/x402/" + verb));
          case "huge" -> huge(good);
          case "5xx" -> json(500, good);
          case "malformed" -> json(200, "<html>");
          case "no boolean" -> json(200, "{\"" + no + "\":\"true\"}");
          case "another payer" ->
              json(200, "{\"isValid\":true,\"payer\":\"0x" + "11".repeat(20) + "\"}");
          case "its own failure" ->
              json(200, "{\"isValid\":false,\"invalidReason\":\"unexpected_verify_error\"}");
          case "deep" -> json(200, "{\"a\":" + "[".repeat(2000) + "]".repeat(2000) + "}");
          default -> throw new IllegalArgumentException(trouble);
        });
  }

  private static URI unreachable() throws Exception {
    try (ServerSocket gone = new ServerSocket(0)) {
      return URI.create("http://127.0.0.1:" + gone.getLocalPort());
    }
  }

  @Test
  void theOneThatVerifiedSettlesAndNoOther() {
    use(first.base(), second.base());
    first.on("verify", reset());
    second.on("settle", json(200, settled(HASH)));
    PaymentPayload payment = payment();

    facilitator.verify(payment, TERMS);
    first.on("verify", json(200, "{\"isValid\":true}"));

    assertThat(facilitator.settle(payment, TERMS)).isEqualTo(new Settlement.Settled(HASH));
    assertThat(first.asked("settle")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "silence",
        "reset",
        "drip",
        "cut off",
        "redirect",
        "huge",
        "5xx",
        "malformed",
        "no boolean",
        "deep"
      })
  @Tag("spec:x402.facilitator.indeterminate")
  void aSettlementWithoutAClearEndIsInDoubtAndNoOtherFacilitatorIsAsked(String trouble) {
    use(first.base(), second.base());
    misbehave("settle", trouble);
    PaymentPayload payment = payment();
    facilitator.verify(payment, TERMS);

    assertThat(facilitator.settle(payment, TERMS)).isInstanceOf(Settlement.Unknown.class);
    assertThat(first.asked("settle")).hasSize(1);
    assertThat(second.asked("settle")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "200, invalid_exact_evm_network_mismatch, '', refused",
    "402, invalid_exact_evm_payload_authorization_value_mismatch, '', refused",
    "200, unsupported_scheme, '', refused",
    "200, invalid_exact_evm_network_mismatch, HASH, unknown",
    "500, invalid_exact_evm_network_mismatch, '', unknown",
    "500, settle_exact_node_failure, HASH, unknown",
    "200, settlement_pending, HASH, unknown",
    "200, settlement_pending, '', unknown",
    "500, settlement_not_sent, '', unknown",
    "200, settlement_not_sent, HASH, unknown",
    "200, invalid_exact_evm_nonce_already_used, '', unknown",
    "200, invalid_exact_evm_transaction_failed, '', unknown",
    "200, invalid_exact_evm_transfer_event_mismatch, '', unknown",
    "200, invalid_exact_evm_insufficient_balance, '', unknown",
    "200, invalid_exact_evm_signature, '', unknown",
    "200, invalid_exact_evm_payload_authorization_valid_before, '', unknown",
    "200, invalid_exact_evm_something_new, '', unknown",
    "200, invalid_exact_svm_transaction_failed, '', unknown",
    "200, invalid_exact_svm_payload_something_new, '', unknown",
    "200, invalid_exact_svm_payload_mint_mismatch, '', refused",
    "200, nonce_already_used, '', unknown",
    "200, duplicate_settlement, '', unknown",
    "200, invalid_transaction_state, '', unknown",
    "200, unexpected_settle_error, '', unknown",
    "200, insufficient_funds, '', unknown",
    "400, insufficient_funds, '', unknown",
    "200, something_new, '', unknown"
  })
  @Tag("spec:x402.facilitator.indeterminate")
  void onlyAReasonThatRulesOutATransactionIsAFailure(
      int status, String reason, String transaction, String outcome) {
    String hash = transaction.replace("HASH", HASH);
    first.on("settle", json(status, failed(reason, hash)));

    assertThat(facilitator.settle(payment(), TERMS))
        .isEqualTo(
            outcome.equals("refused")
                ? new Settlement.Refused(reason)
                : new Settlement.Unknown(reason, hash.isEmpty() ? null : hash));
  }

  /** As published facilitators of versions 1 and 2 give them, without the transaction's hash. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "transaction_failed",
        "transaction_simulation_failed",
        "invalid_exact_evm_transaction_failed",
        "invalid_exact_evm_failed_to_execute_transfer",
        "invalid_exact_evm_failed_to_get_receipt",
        "invalid_exact_evm_insufficient_balance",
        "invalid_exact_evm_insufficient_funds",
        "invalid_exact_evm_payload_authorization_valid_after",
        "invalid_exact_evm_payload_authorization_valid_before",
        "invalid_exact_evm_payload_signature",
        "invalid_exact_evm_signature",
        "invalid_exact_evm_transaction_simulation_failed",
        "invalid_exact_evm_transaction_state",
        "invalid_exact_evm_transfer_event_mismatch",
        "invalid_exact_evm_verification_failed",
        "invalid_exact_svm_transaction_failed",
        "invalid_exact_svm_transaction_simulation_failed",
        "invalid_exact_svm_verification_failed",
        "invalid_exact_solana_transaction_confirmation_failed",
        "invalid_exact_solana_transaction_failed",
        "post_settlement_transfer_not_confirmed",
        "settle_exact_failed_onchain",
        "settle_exact_svm_block_height_exceeded",
        "settle_exact_svm_transaction_confirmation_timed_out",
        "smart_wallet_deployment_failed"
      })
  @Tag("spec:x402.facilitator.indeterminate")
  void aReasonThatIsAlsoGivenOfAPaymentThatWasSentIsInDoubt(String reason) {
    first.on("settle", json(200, failed(reason, "")));

    assertThat(facilitator.settle(payment(), TERMS))
        .isEqualTo(new Settlement.Unknown(reason, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503})
  void aFailureWithoutAReasonIsInDoubtWhateverItsStatus(int status) {
    for (String body :
        List.of(
            "",
            "{}",
            "{\"success\":false}",
            "{\"success\":false,\"errorReason\":null}",
            "{\"error\":\"x\"}")) {
      first.on("settle", json(status, body));
      assertThat(facilitator.settle(payment(), TERMS))
          .as(body)
          .isInstanceOf(Settlement.Unknown.class);
    }
  }

  @Test
  void whereNoConnectionOpensNothingWasSentAndThePaymentIsAsGoodAsBefore() throws Exception {
    use(unreachable());

    assertThat(facilitator.settle(payment(), TERMS)).isInstanceOf(Settlement.Unsent.class);
  }

  @Test
  void aSuccessThatIsNoneIsInDoubt() {
    for (String odd :
        List.of(
            settled(""),
            settled("0x12"),
            settled(HASH).replace("8453", "1"),
            settled("5".repeat(88)),
            settled(HASH).replace("}", ",\"payer\":\"0x" + "11".repeat(20) + "\"}"),
            "{\"success\":true}",
            "{\"success\":1,\"transaction\":\"" + HASH + "\"}",
            "[" + settled(HASH) + "]")) {
      first.on("settle", json(200, odd));
      assertThat(facilitator.settle(payment(), TERMS))
          .as(odd)
          .isInstanceOf(Settlement.Unknown.class);
    }
  }

  @Test
  void anAnswerThatComesTwiceCountsOnce() {
    first.on("settle", twice(settled(HASH)));

    assertThat(facilitator.settle(payment(), TERMS)).isEqualTo(new Settlement.Settled(HASH));
    assertThat(facilitator.verify(payment(), TERMS)).isInstanceOf(Verification.Valid.class);
  }

  @Test
  @Tag("spec:x402.base58.fee_payer")
  @Tag("spec:x402.facilitator.supported")
  void theBase58OfferComesAndGoesWithItsFeePayer() {
    assertThat(facilitator.offerExtra(SOLANA)).isEmpty();

    first.on("supported", json(200, supported(FEE_PAYER)));
    await().until(() -> facilitator.offerExtra(SOLANA).isPresent());
    Optional<Map<String, Object>> extra = facilitator.offerExtra(SOLANA);
    assertThat(extra).contains(Map.of("feePayer", FEE_PAYER));
    int asked = first.asked("supported").size();
    await().until(() -> first.asked("supported").size() > asked + 2);
    assertThat(facilitator.offerExtra(SOLANA).get()).isSameAs(extra.get());

    first.on("supported", json(200, supported("no key")));
    await().until(() -> facilitator.offerExtra(SOLANA).isEmpty());
    first.on("supported", json(200, supported(FEE_PAYER)));
    await().until(() -> facilitator.offerExtra(SOLANA).isPresent());
    first.on("supported", json(500, "{}"));
    await().until(() -> facilitator.offerExtra(SOLANA).isEmpty());
    assertThat(facilitator.offerExtra(NETWORK)).contains(Map.of());
  }

  @Test
  void ceilingsAreOfferedWhereAFacilitatorSaysWhoSettlesThem() {
    String settler = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    assertThat(facilitator.uptoExtra(NETWORK)).isEmpty();

    first.on(
        "supported",
        json(
            200,
            """
            {"kinds":[{"x402Version":2,"scheme":"exact","network":"%1$s"},
            {"x402Version":2,"scheme":"upto","network":"%1$s","extra":{"facilitatorAddress":"%2$s"}}]}"""
                .formatted(NETWORK, settler)));
    await().until(() -> facilitator.uptoExtra(NETWORK).isPresent());

    assertThat(facilitator.uptoExtra(NETWORK)).contains(Map.of("facilitatorAddress", settler));
    assertThat(facilitator.offerExtra(NETWORK)).contains(Map.of());
    first.on("supported", json(200, supported(FEE_PAYER)));
    await().until(() -> facilitator.uptoExtra(NETWORK).isEmpty());
  }

  @Test
  @Tag("spec:x402.facilitator.supported")
  void aCeilingIsSettledInVersion2WhereTheExactSchemeIsKnownInVersion1Only() {
    first.on(
        "supported",
        json(
            200,
            """
            {"kinds":[{"x402Version":1,"scheme":"exact","network":"base"},
            {"x402Version":2,"scheme":"upto","network":"%s","extra":{"facilitatorAddress":"%s"}}]}"""
                .formatted(NETWORK, KEY)));
    await().until(() -> facilitator.uptoExtra(NETWORK).isPresent());
    PaymentRequirements upto =
        new PaymentRequirements(
            "upto",
            NETWORK,
            TERMS.amount(),
            TERMS.asset(),
            TERMS.payTo(),
            60,
            facilitator.uptoExtra(NETWORK).orElseThrow());
    first.on("settle", json(200, settled(HASH)));

    assertThat(facilitator.settle(payment(), upto)).isEqualTo(new Settlement.Settled(HASH));

    assertThat(first.asked("settle").get(0).body()).contains("\"x402Version\":2");
  }

  @Test
  void anEvmNetworkThatNoFacilitatorSupportsIsNotOffered() {
    assertThat(facilitator.offerExtra(NETWORK)).contains(Map.of());
    first.on("supported", json(200, "{\"kinds\":[],\"extensions\":[],\"signers\":{}}"));

    await().until(() -> facilitator.offerExtra(NETWORK).isEmpty());
  }

  private static String supported(String feePayer) {
    return """
        {"kinds":[{"x402Version":2,"scheme":"exact","network":"%s"},
        {"x402Version":2,"scheme":"exact","network":"%s","extra":{"feePayer":"%s"}}],
        "extensions":[],"signers":{}}"""
        .formatted(NETWORK, SOLANA, feePayer);
  }

  @Test
  void aBearerTokenGoesWithEveryRequest() {
    facilitator.close();
    facilitator = facilitator(FacilitatorAuth.bearer("t0ken"), first.base());
    facilitator.verify(payment(), TERMS);
    facilitator.settle(payment(), TERMS);

    assertThat(first.asked("verify").get(0).headers())
        .containsEntry("authorization", "Bearer t0ken");
    assertThat(first.asked("settle").get(0).headers())
        .containsEntry("authorization", "Bearer t0ken");
  }

  @Test
  void aNetworkWhosePaymentsNothingChecksIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new HttpFacilitator(
                    HttpFacilitatorSettings.of(List.of(first.base())),
                    FacilitatorAuth.NONE,
                    List.of("cosmos:1"),
                    Map.of(),
                    Clock.systemUTC()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a.example", "https://user@a.example", "https://a.example/?q=1"})
  void anAddressThatIsNoBaseIsRefused(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpFacilitatorSettings.of(List.of(URI.create(address))));
  }

  private static void names(HostileFacilitator remote, String authorizer) {
    remote.on(
        "supported",
        json(
            200,
            "{\"kinds\":[{\"x402Version\":2,\"scheme\":\"batch-settlement\",\"network\":\"%s\",\"extra\":{\"receiverAuthorizer\":\"%s\"}}]}"
                .formatted(NETWORK, authorizer)));
  }

  private static PaymentRequirements outOf(String authorizer) {
    return new PaymentRequirements(
        "batch-settlement",
        NETWORK,
        TERMS.amount(),
        TERMS.asset(),
        TERMS.payTo(),
        60,
        Map.of("receiverAuthorizer", authorizer));
  }

  private PaymentPayload deposit(PaymentRequirements terms) {
    String payer = wallet.address().toString();
    return PaymentPayload.of(
        terms, Map.of("type", "deposit", "channelConfig", Map.of("payer", payer)));
  }

  @Test
  @Tag("spec:x402.facilitator.supported")
  void channelsAreOfferedWithTheKeyThatAFacilitatorNamesAndAsLongAsItIsOne() {
    for (String none : List.of("0x" + "00".repeat(20), "0x1234", "", HASH)) {
      names(first, none);
      int asked = first.asked("supported").size();
      await().until(() -> first.asked("supported").size() > asked + 1);
      assertThat(facilitator.channelExtra(NETWORK)).as(none).isEmpty();
      names(first, KEY);
      await().until(() -> facilitator.channelExtra(NETWORK).isPresent());
    }
    assertThat(facilitator.channelExtra(NETWORK))
        .containsSame(facilitator.channelExtra(NETWORK).orElseThrow())
        .contains(Map.of("receiverAuthorizer", KEY));
    assertThat(facilitator.channelExtra(SOLANA)).isEmpty();
    first.on("supported", silence());
    await().until(() -> facilitator.channelExtra(NETWORK).isEmpty());

    assertThat(facilitator.isAuthorizer(NETWORK, KEY)).as("what is owed is claimed").isTrue();
  }

  @Test
  @Tag("spec:x402.facilitator.settle")
  void whatAChannelNeedsIsAskedOfTheOneWithItsKeyAndOfNoOther() {
    names(first, KEY);
    names(second, OTHER_KEY);
    use(first.base(), second.base());
    await().until(() -> facilitator.isAuthorizer(NETWORK, OTHER_KEY));
    second.on("settle", json(200, settled(HASH)));
    PaymentRequirements terms = outOf(OTHER_KEY.toLowerCase(Locale.ROOT));

    assertThat(facilitator.settle(deposit(terms), terms)).isEqualTo(new Settlement.Settled(HASH));
    PaymentRequirements nobodys = outOf(TERMS.payTo());
    assertThat(facilitator.settle(deposit(nobodys), nobodys)).isInstanceOf(Settlement.Unsent.class);

    assertThat(first.asked("settle")).isEmpty();
    assertThat(second.asked("settle")).hasSize(1);
    assertThat(second.asked("settle").get(0).body()).contains("\"x402Version\":2");
  }

  @Test
  @Tag("spec:x402.facilitator.indeterminate")
  void whatIsSaidOfADepositIsADoubtUnlessItIsPlain() {
    names(first, KEY);
    await().until(() -> facilitator.isAuthorizer(NETWORK, KEY));
    PaymentRequirements terms = outOf(KEY);
    String reasons = "invalid_batch_settlement_evm_";
    List<HostileFacilitator.Act> doubts =
        List.of(
            silence(),
            json(500, settled(HASH)),
            json(200, settled("0x1234")),
            json(200, settled(HASH).replace(NETWORK, "eip155:1")),
            json(200, settled(HASH).replace("}", ",\"payer\":\"" + TERMS.payTo() + "\"}")),
            json(200, failed(reasons + "deposit_transaction_failed", "")),
            json(200, failed(reasons + "deposit_simulation_failed", "")),
            json(200, failed(reasons + "token_mismatch", HASH)));
    for (HostileFacilitator.Act doubt : doubts) {
      first.on("settle", doubt);
      assertThat(facilitator.settle(deposit(terms), terms)).isInstanceOf(Settlement.Unknown.class);
    }
    first.on("settle", json(200, failed(reasons + "token_mismatch", "")));
    assertThat(facilitator.settle(deposit(terms), terms)).isInstanceOf(Settlement.Refused.class);
  }
}
