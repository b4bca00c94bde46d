package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.Challenges.NothingOffered;
import dev.octroi.payments.x402.Offers.OfferMatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffersTest {

  private static final Usd PRICE = Usd.parse("0.01");
  private static final String PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  private static final String OTHER_TOKEN = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  private static final String MAINNET = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  private static final String MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

  private static final PaymentOption BASE =
      new PaymentOption(
          "eip155:8453", USDC, PAY_TO, Map.of("name", "USD Coin", "version", "2"), 300);

  private static final PaymentOption SOLANA =
      new PaymentOption(MAINNET, MINT, "Payee1", Map.of("feePayer", "Fee1"), 300);

  private static final PaymentOption BARE_SOLANA =
      new PaymentOption(MAINNET, MINT, "Payee1", Map.of(), 300);

  private final Offers offers = new Offers(List.of(SOLANA, BASE));

  @Test
  @Tag("spec:x402.accepts")
  void theEvmEntryStandsFirst() {
    assertThat(offers.accepts(PRICE))
        .extracting(PaymentRequirements::network, PaymentRequirements::amount)
        .containsExactly(tuple("eip155:8453", "10000"), tuple(MAINNET, "10000"));
  }

  @Test
  @Tag("spec:x402.accepts")
  void twoEntriesOfTheSameNetworkAndAssetAreRefused() {
    PaymentOption lower =
        new PaymentOption(BASE.network(), USDC.toLowerCase(), PAY_TO, BASE.extra(), 60);

    assertThatIllegalArgumentException().isThrownBy(() -> new Offers(List.of(BASE, lower)));
  }

  @Test
  @Tag("spec:x402.accepts")
  void anOptionIsOfferedAsLongAsAFacilitatorSettlesItAndWithWhatItAdds() {
    Added added = new Added();
    Offers dynamic = new Offers(List.of(BARE_SOLANA, BASE), added);
    assertThat(networks(dynamic)).containsExactly(BASE.network());

    added.solana = Optional.of(Map.of("feePayer", "Fee2"));
    assertThat(networks(dynamic)).containsExactly(BASE.network(), MAINNET);
    assertThat(dynamic.accepts(PRICE).get(1).extra()).isEqualTo(Map.of("feePayer", "Fee2"));
    assertThat(dynamic.accepts(PRICE)).isSameAs(dynamic.accepts(PRICE));

    added.solana = Optional.empty();
    assertThat(networks(dynamic)).containsExactly(BASE.network());
  }

  @Test
  void aPaymentForAnOfferOfBeforeStillMatchesSoThatItCanBeAskedFor() {
    Added added = new Added();
    Offers dynamic = new Offers(List.of(BARE_SOLANA, BASE), added);
    added.solana = Optional.of(Map.of("feePayer", "Fee1"));
    PaymentPayload payment = Envelopes.payment(dynamic.accepts(PRICE).get(1));

    added.solana = Optional.empty();
    assertThat(dynamic.match(payment, OfferedPrice.of(PRICE)))
        .isInstanceOf(OfferMatch.Matched.class);
    added.solana = Optional.of(Map.of("feePayer", "Fee2"));
    assertThat(dynamic.match(payment, OfferedPrice.of(PRICE)))
        .isInstanceOfSatisfying(
            OfferMatch.Matched.class,
            matched -> assertThat(matched.terms().extra()).containsEntry("feePayer", "Fee1"));
  }

  @Test
  void anOptionThatIsNeverOfferedDoesNotKeepTheOffersOfLongAgo() {
    Added added = new Added();
    PaymentOption never =
        new PaymentOption(
            PaymentOption.UPTO, BASE.network(), USDC, PAY_TO, BASE.extra(), 300, Usd.DECIMALS);
    Offers dynamic =
        new Offers(
            List.of(BARE_SOLANA, BASE, never),
            option -> option.isUpto() ? Optional.empty() : added.apply(option));
    added.solana = Optional.of(Map.of("feePayer", "Fee1"));
    assertThat(networks(dynamic)).containsExactly(BASE.network(), MAINNET);
    PaymentPayload payment = Envelopes.payment(dynamic.accepts(PRICE).get(1));

    added.solana = Optional.of(Map.of("feePayer", "Fee2"));

    assertThat(dynamic.match(payment, OfferedPrice.of(PRICE)))
        .isInstanceOfSatisfying(
            OfferMatch.Matched.class,
            matched -> assertThat(matched.terms().extra()).containsEntry("feePayer", "Fee1"));
  }

  @Test
  void aNetworkWhereNoFacilitatorSettlesAtTheMomentIsNoReasonToAskForAnotherPayment() {
    Added added = new Added();
    Offers dynamic = new Offers(List.of(BARE_SOLANA, BASE), added);
    PaymentPayload payment =
        Envelopes.payment(BARE_SOLANA.at(Usd.parse("0.01"), Map.of("feePayer", "Fee1")));

    assertThat(dynamic.match(payment, OfferedPrice.of(PRICE)))
        .isEqualTo(new OfferMatch.Suspended());
  }

  @Test
  void withoutAnyOfferThereIsNoChallenge() {
    Challenges none = new Challenges(new Offers(List.of(BASE), network -> Optional.empty()));

    assertThatExceptionOfType(NothingOffered.class)
        .isThrownBy(
            () -> none.first(OfferedPrice.of(PRICE), ResourceInfo.at("https://shop.example/x")));
  }

  private static List<String> networks(Offers offers) {
    return offers.accepts(PRICE).stream().map(PaymentRequirements::network).toList();
  }

  /** Adds to Solana's offers what a test says. */
  private static final class Added
      implements Function<PaymentOption, Optional<Map<String, Object>>> {

    private Optional<Map<String, Object>> solana = Optional.empty();

    @Override
    public Optional<Map<String, Object>> apply(PaymentOption option) {
      return option.network().equals(MAINNET) ? solana : Optional.of(Map.of());
    }
  }

  @Test
  void aPriceOfZeroHasNoOffer() {
    assertThatIllegalArgumentException().isThrownBy(() -> offers.accepts(Usd.ZERO));
  }

  @Test
  void whatTheServerOffersMatches() {
    assertThat(match(Envelopes.ACCEPTED)).isEqualTo("exact eip155:8453 10000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        USDC + "|0x833589fcd6edb6e08f4c7c32d4f71b54bda02913|exact eip155:8453 10000",
        PAY_TO + "|0X209693BC6AFC0C5328BA36FAF03C514EF312287C|exact eip155:8453 10000",
        "\"version\":\"2\"|\"version\":\"2\",\"more\":1|exact eip155:8453 10000",
        "\"maxTimeoutSeconds\":300,||exact eip155:8453 10000",
        "300|null|exact eip155:8453 10000",
        "\"exact\"|\"upto\"|invalid_exact_evm_scheme",
        "eip155:8453|eip155:1|invalid_exact_evm_network_mismatch",
        "eip155:8453|solana:other|invalid_network",
        "\"10000\"|\"9999\"|invalid_payment_requirements",
        "\"10000\"|\"010000\"|invalid_payment_requirements",
        USDC + "|" + OTHER_TOKEN + "|invalid_payment_requirements",
        PAY_TO + "|" + OTHER_TOKEN + "|invalid_payment_requirements",
        "300|301|invalid_payment_requirements",
        "\"version\":\"2\"|\"version\":\"1\"|invalid_payment_requirements",
        "\"version\":\"2\"|\"version\":2|invalid_payment_requirements",
        ",\"version\":\"2\"||invalid_payment_requirements",
      })
  @Tag("spec:decision.envelope_leniency")
  void aDifferenceMattersOrNot(String ours, String theirs, String expected) {
    String changed = Envelopes.ACCEPTED.replace(ours, theirs == null ? "" : theirs);
    assertThat(changed).isNotEqualTo(Envelopes.ACCEPTED);

    assertThat(match(changed)).isEqualTo(expected);
  }

  @Test
  void aBase58AddressIsComparedAsItStands() {
    String accepted =
        """
        {"scheme":"exact","network":"%s","amount":"10000","asset":"%s","payTo":"%s",\
        "extra":{"feePayer":"Fee1"}}""";

    assertThat(match(accepted.formatted(MAINNET, MINT, "Payee1"))).startsWith("exact solana");
    assertThat(match(accepted.formatted(MAINNET, MINT, "payee1")))
        .isEqualTo("invalid_payment_requirements");
  }

  @Test
  @Tag("spec:decision.envelope_leniency")
  void withoutAcceptedExactlyOneOfferMustMatch() {
    PaymentPayload bare =
        Envelopes.read(
            """
            {"x402Version":2,"scheme":"exact","network":"eip155:8453","payload":{}}""");
    PaymentOption second = new PaymentOption("eip155:8453", OTHER_TOKEN, PAY_TO, BASE.extra(), 300);

    assertThat(offers.match(bare, OfferedPrice.of(PRICE))).isInstanceOf(OfferMatch.Matched.class);
    assertThat(new Offers(List.of(BASE, second)).match(bare, OfferedPrice.of(PRICE)))
        .isEqualTo(new OfferMatch.Unmatched("invalid_payment_requirements"));
  }

  @Test
  void aTokenOfMoreDecimalsAndAnotherMethodIsOfferedExactlyAndMatchedByName() {
    PaymentOption permitted =
        new PaymentOption(
            "eip155:8453", OTHER_TOKEN, PAY_TO, Map.of("assetTransferMethod", "permit2"), 300, 18);
    Offers two = new Offers(List.of(BASE, permitted));
    PaymentRequirements offer = two.accepts(PRICE).get(1);

    assertThat(offer.amount()).isEqualTo("10000000000000000");
    assertThat(offer.micros()).isEqualTo(PRICE.micros());
    assertThat(two.match(Envelopes.payment(offer), OfferedPrice.of(PRICE)))
        .isEqualTo(new OfferMatch.Matched(offer));
    assertThat(two.match(Envelopes.payment(two.accepts(PRICE).get(0)), OfferedPrice.of(PRICE)))
        .isEqualTo(new OfferMatch.Matched(two.accepts(PRICE).get(0)));
    PaymentPayload bare =
        Envelopes.read(
            """
            {"x402Version":1,"scheme":"exact","network":"base","payload":{}}""");
    assertThat(two.match(bare, OfferedPrice.of(PRICE)))
        .isEqualTo(new OfferMatch.Matched(two.accepts(PRICE).get(0)));
    assertThat(new String(v1(two).body(), java.nio.charset.StandardCharsets.UTF_8))
        .contains(USDC)
        .doesNotContain(OTHER_TOKEN);
  }

  private static Challenges.Challenge v1(Offers offers) {
    return new Challenges(
            offers,
            ChallengeBody.V1,
            Extensions.NONE,
            Challenges.OfferExtensions.NONE,
            Challenges.OfferExtensions.NONE)
        .first(OfferedPrice.of(PRICE), ResourceInfo.at("https://shop.example/x"));
  }

  @Test
  void aTokenOfFewerThanSixDecimalsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PaymentOption("eip155:1", OTHER_TOKEN, PAY_TO, Map.of(), 300, 5));
  }

  @Test
  void thePriceOfAnotherCallDoesNotMatch() {
    assertThat(offers.match(Envelopes.read(Envelopes.VALID), OfferedPrice.of(Usd.parse("0.02"))))
        .isEqualTo(new OfferMatch.Unmatched("invalid_payment_requirements"));
  }

  private String match(String accepted) {
    PaymentPayload payment =
        Envelopes.read("{\"x402Version\":2,\"accepted\":" + accepted + ",\"payload\":{}}");
    OfferMatch match = offers.match(payment, OfferedPrice.of(PRICE));
    return match instanceof OfferMatch.Matched matched
        ? matched.terms().scheme()
            + " "
            + matched.terms().network()
            + " "
            + matched.terms().amount()
        : ((OfferMatch.Unmatched) match).reason();
  }
}
