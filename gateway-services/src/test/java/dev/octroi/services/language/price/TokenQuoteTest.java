package dev.octroi.services.language.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.Model.Caching;
import dev.octroi.services.language.catalogue.Model.ModelSource;
import dev.octroi.services.language.catalogue.Model.Rates;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenQuoteTest {

  /** What is cached is part of the input, whatever a vendor says of it. */
  @ParameterizedTest
  @CsvSource({
    "100, -1000, 0, 100, 0, 0",
    "100, 5000, 0, 0, 100, 0",
    "100, 60, 60, 0, 60, 40",
    "100, 10, -9223372036854775808, 90, 10, 0",
    "-5, 10, 10, 0, 0, 0"
  })
  void whatIsCachedIsPartOfTheInput(
      long all, long cached, long kept, long input, long read, long written) {
    assertThat(Usage.ofAllInput(all, 1, cached, kept, 0))
        .isEqualTo(new Usage(input, 1, read, written, 0));
  }

  private static final long MOST_TOKENS = 100_000_000;

  @ParameterizedTest
  @CsvSource({
    "5, 25, 1000, 1000, 30000",
    "5, 25, 1, 40, 1005",
    "3, 15, 0, 0, 1000",
    "0.14, 0.28, 7142, 0, 1000",
    "0.14, 0.28, 7143, 0, 1001",
    "0.000001, 0, 100000000, 0, 1000",
    "1000000, 1000000, 100000000, 100000000, 200000000000000"
  })
  @Tag("spec:price.messages")
  void aQuoteIsInputAndLargestOutputAtTheirRatesRoundedUp(
      String input, String output, long read, long written, long micros) {
    assertThat(quote(model(Rates.of(input, output)), read, written).micros()).isEqualTo(micros);
  }

  @Property
  void aQuoteIsTheExactCostRoundedUpToAMillionth(
      @ForAll @LongRange(max = Rates.MAX) long input,
      @ForAll @LongRange(min = 1, max = Rates.MAX) long output,
      @ForAll @LongRange(max = MOST_TOKENS) long read,
      @ForAll @LongRange(max = MOST_TOKENS) long written) {
    BigDecimal exact =
        BigDecimal.valueOf(read)
            .multiply(BigDecimal.valueOf(input))
            .add(BigDecimal.valueOf(written).multiply(BigDecimal.valueOf(output)))
            .movePointLeft(6)
            .setScale(0, RoundingMode.CEILING)
            .max(BigDecimal.valueOf(TokenQuote.LEAST_MICROS));

    long micros = quote(model(new Rates(input, output, 0, 0)), read, written).micros();

    assertThat(BigDecimal.valueOf(micros)).isEqualByComparingTo(exact);
  }

  @Property
  void whateverAnUpstreamSaysAChargeIsAtMostTheQuote(
      @ForAll @LongRange(min = 1, max = Rates.MAX) long rate,
      @ForAll @LongRange(max = MOST_TOKENS) long tokens,
      @ForAll @LongRange(max = Long.MAX_VALUE) long input,
      @ForAll @LongRange(max = Long.MAX_VALUE) long output,
      @ForAll @LongRange(max = Long.MAX_VALUE) long cached) {
    TokenQuote quote = quote(model(new Rates(rate, rate, rate, rate)), tokens, tokens);

    assertThat(quote.charge(new Usage(input, output, cached, cached, 0)))
        .isBetween(TokenQuote.LEAST_MICROS, quote.micros());
  }

  @Property
  void usingWhatWasQuotedCostsTheQuote(
      @ForAll @LongRange(max = Rates.MAX) long input,
      @ForAll @LongRange(max = Rates.MAX) long output,
      @ForAll @LongRange(max = MOST_TOKENS) long read,
      @ForAll @LongRange(max = MOST_TOKENS) long written) {
    TokenQuote quote = quote(model(new Rates(input, output, 0, 0)), read, written);

    assertThat(quote.charge(new Usage(read, written, 0, 0, 0))).isEqualTo(quote.micros());
  }

  @Property
  void usingLessNeverCostsMore(
      @ForAll @LongRange(max = Rates.MAX) long rate,
      @ForAll @LongRange(max = MOST_TOKENS) long more,
      @ForAll @LongRange(max = MOST_TOKENS) long less) {
    TokenQuote quote = quote(model(new Rates(rate, 1, 0, 0)), MOST_TOKENS, MOST_TOKENS);

    assertThat(quote.charge(new Usage(Math.min(more, less), 0, 0, 0, 0)))
        .isLessThanOrEqualTo(quote.charge(new Usage(Math.max(more, less), 0, 0, 0, 0)));
  }

  @Test
  void theCacheHasItsOwnRates() {
    TokenQuote quote =
        quote(model(new Rates(3_000_000, 15_000_000, 300_000, 3_750_000)), 10_000, 1_000);

    assertThat(quote.charge(new Usage(100, 10, 8_000, 1_000, 0)))
        .isEqualTo(300 + 150 + 2_400 + 3_750);
  }

  @Test
  void whatACallerMarksForTheCacheIsQuotedAndChargedAtItsRate() {
    Model model = model(new Rates(3_000_000, 15_000_000, 300_000, 3_750_000, 6_000_000));

    TokenQuote minutes = TokenQuote.of(model, 10_000, 1_000, Caching.MINUTES, Surcharge.NONE);
    TokenQuote hour = TokenQuote.of(model, 10_000, 1_000, Caching.HOUR, Surcharge.NONE);

    assertThat(minutes.micros()).isEqualTo(37_500 + 15_000);
    assertThat(hour.micros()).isEqualTo(60_000 + 15_000);
    assertThat(minutes.charge(new Usage(0, 1_000, 0, 10_000, 0, 0, 0))).isEqualTo(minutes.micros());
    assertThat(hour.charge(new Usage(0, 1_000, 0, 0, 10_000, 0, 0))).isEqualTo(hour.micros());
  }

  @Test
  void aSurchargeIsAskedAndChargedBesideTheTokens() {
    TokenQuote quote =
        TokenQuote.of(
            model(Rates.of("3", "15")), 10_000, 1_000, Caching.NONE, new Surcharge(10_000, 0, 0));

    assertThat(quote.micros()).isEqualTo(30_000 + 15_000 + 10_000);
    assertThat(quote.charge(new Usage(10_000, 1_000, 0, 0, 0))).isEqualTo(quote.micros());
    assertThat(quote.charge(Usage.NONE)).isEqualTo(TokenQuote.LEAST_MICROS + 10_000);
    assertThat(
            TokenQuote.of(model(Rates.of("0", "0")), 1, 1, Caching.HOUR, new Surcharge(7, 0, 0))
                .micros())
        .isEqualTo(7);
  }

  @Test
  void searchesThatTheVendorDidNotMakeAreNotCharged() {
    Surcharge three = new Surcharge(37, 10, 3);
    TokenQuote quote = TokenQuote.of(model(Rates.of("0", "0")), 10_000, 1_000, Caching.NONE, three);

    assertThat(quote.micros()).isEqualTo(37);
    assertThat(quote.charge(searched(0L))).isEqualTo(7);
    assertThat(quote.charge(searched(2L))).isEqualTo(27);
    assertThat(quote.charge(searched(Long.MAX_VALUE))).isEqualTo(37);
    assertThat(quote.charge(searched(Long.MIN_VALUE))).isEqualTo(7);
  }

  private static Usage searched(long searches) {
    return new Usage(1, 1, 0, 0, 0, 0, searches);
  }

  @Test
  void aModelWithoutRatesCostsNothing() {
    TokenQuote quote = quote(model(new Rates(0, 0, 0, 0)), MOST_TOKENS, MOST_TOKENS);

    assertThat(quote.micros()).isZero();
    assertThat(quote.charge(new Usage(10, 10, 0, 0, 0))).isZero();
  }

  @Test
  @Tag("spec:error.price_unavailable")
  void aModelWithoutAPriceIs503() {
    assertThatThrownBy(() -> quote(model(null), 1, 1))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.PRICE_UNAVAILABLE));
    assertThat(ErrorCode.PRICE_UNAVAILABLE.status()).isEqualTo(503);
  }

  @Test
  void aCountBelowZeroEarnsNothing() {
    TokenQuote quote = quote(model(Rates.of("1", "1")), 10_000, 10_000);

    assertThat(quote.charge(new Usage(-5_000, 4_000, 0, 0, 0))).isEqualTo(4_000);
  }

  private static TokenQuote quote(Model model, long input, long output) {
    return TokenQuote.of(model, input, output, Caching.NONE, Surcharge.NONE);
  }

  private static Model model(Rates rates) {
    return new Model(
        "m",
        "v",
        List.of(),
        new ModelSource("u", "m", Dialect.CHAT, Set.of(), Set.of()),
        10,
        5,
        Set.of(),
        Set.of(),
        rates,
        Tokenizer.BYTES,
        LocalDate.EPOCH,
        null,
        null,
        List.of(),
        Set.of());
  }
}
