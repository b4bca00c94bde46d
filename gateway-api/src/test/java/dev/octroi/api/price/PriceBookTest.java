package dev.octroi.api.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.TickingClock;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.LiveGroups;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PriceSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.api.setup.BuiltInGroups;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriceBookTest {

  private static final String ETF = "/v1/marketplace/cryptodata/market/etf";
  private static final String WALLET = "/v1/marketplace/prediction/venue-a/wallet/0x11";
  private static final String WALLET_ROW = "/v1/marketplace/prediction/venue-a/wallet/{wallet}";
  private static final Usd LIST = Usd.parse("0.0095");
  private static final Usd SMART = Usd.parse("0.015");
  private static final Usd READ = Usd.parse("0.542");

  @TempDir private Path folder;

  private final TickingClock clock = new TickingClock(Instant.parse("2026-11-30T00:00:00Z"));

  private record Asked(String method, String path) implements PricedRequest {

    @Override
    public Map<String, List<String>> pathParameters() {
      return Map.of();
    }

    @Override
    public Map<String, List<String>> queryParameters() {
      return Map.of();
    }

    @Override
    public byte[] body() {
      return new byte[0];
    }
  }

  private PriceBook book(String... lines) {
    Path file = folder.resolve("prices.properties");
    try {
      Files.write(file, List.of(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return book(new PriceSettings(Optional.of(file), Duration.ofMinutes(5), SMART, READ, Map.of()));
  }

  private PriceBook book(PriceSettings settings) {
    GatewaySettings defaults = GatewaySettings.read(SettingsSources.none());
    assertThat(defaults.prices().smartSearch()).isEqualTo(SMART);
    assertThat(defaults.prices().callRecord()).isEqualTo(READ);
    return new PriceBook(
        new ConfiguredGroups(new Groups(BuiltInGroups.ALL), defaults, clock, LiveGroups.NONE),
        settings,
        clock);
  }

  private static PriceQuote quote(PriceBook book, String path, String... key) {
    return book.quote(new Asked("GET", path), LIST, List.of(key).stream().findFirst());
  }

  private static String price(PriceBook book, String path, String... key) {
    return quote(book, path, key).price().dollars();
  }

  @Test
  @Tag("spec:operator.prices.specific")
  void theMostSpecificRuleWins() {
    PriceBook book =
        book(
            "group.cryptodata=0.002",
            "row.GET" + ETF + "=0.003",
            "key.k1.group.cryptodata=0.004",
            "key.k1.row.GET" + ETF + "=0.005",
            "key.k2.group.cryptodata=0.006",
            "row.GET" + WALLET_ROW + "=0.007");
    assertThat(book.problems()).isEmpty();
    assertThat(price(book, ETF, "k1")).isEqualTo("0.005000");
    assertThat(price(book, ETF, "k2")).isEqualTo("0.006000");
    assertThat(price(book, ETF, "k3")).isEqualTo("0.003000");
    assertThat(price(book, ETF)).isEqualTo("0.003000");
    assertThat(price(book, "/v1/marketplace/cryptodata/market/fear-greed")).isEqualTo("0.002000");
    assertThat(price(book, WALLET)).isEqualTo("0.007000");
    assertThat(price(book, "/v1/marketplace/prediction/venue-a/markets")).isEqualTo("0.009500");
  }

  @Test
  @Tag("spec:operator.prices.versions")
  void aVersionChangesWhatItNamesFromItsMomentOn() {
    PriceBook book =
        book(
            "group.cryptodata=0.002",
            "row.GET" + ETF + "=0.003",
            "version.winter.from=2026-12-01T00:00:00Z",
            "version.winter.row.GET" + ETF + "=0.004",
            "version.spring.from=2027-03-01T00:00:00Z",
            "version.spring.group.cryptodata=list",
            "version.spring.row.GET" + ETF + "=list");
    assertThat(book.problems()).isEmpty();
    assertThat(quote(book, ETF)).isEqualTo(PriceQuote.of(Usd.parse("0.003")));
    clock.advance(Duration.ofDays(1));
    assertThat(price(book, ETF)).isEqualTo("0.004000");
    assertThat(price(book, "/v1/marketplace/cryptodata/market/fear-greed")).isEqualTo("0.002000");
    clock.advance(Duration.ofDays(90));
    assertThat(price(book, ETF)).isEqualTo("0.009500");
  }

  @Test
  @Tag("spec:operator.prices.grace")
  void theFormerPriceBuysUntilTheGraceIsOverAndIsRememberedAfterIt() {
    PriceBook book =
        book(
            "version.winter.from=2026-12-01T00:00:00Z",
            "version.winter.row.GET" + ETF + "=0.02",
            "version.later.from=2026-12-01T00:01:00Z",
            "version.later.group.prediction=0.5");
    clock.advance(Duration.ofDays(1));
    Usd now = Usd.parse("0.02");
    assertThat(quote(book, ETF)).isEqualTo(new PriceQuote(now, Optional.of(LIST), true));
    clock.advance(Duration.ofSeconds(299));
    assertThat(quote(book, ETF)).isEqualTo(new PriceQuote(now, Optional.of(LIST), true));
    clock.advance(Duration.ofSeconds(1));
    assertThat(quote(book, ETF)).isEqualTo(new PriceQuote(now, Optional.of(LIST), false));
  }

  @Test
  @Tag("spec:operator.prices.explain")
  void theRuleThatMakesAPriceIsNamedNowAndNext() {
    PriceBook book =
        book(
            "group.cryptodata=0.002",
            "version.winter.from=2026-12-01T00:00:00Z",
            "version.winter.row.GET" + ETF + "=0.004");
    RowPrice price = book.explain("GET", ETF, Optional.empty()).orElseThrow();
    assertThat(price.now())
        .isEqualTo(
            new RowPrice.Step(
                Optional.of(Usd.parse("0.002")), "group.cryptodata", "first", Optional.empty()));
    assertThat(price.next())
        .contains(
            new RowPrice.Step(
                Optional.of(Usd.parse("0.004")),
                "row.GET" + ETF,
                "winter",
                Optional.of(Instant.parse("2026-12-01T00:00:00Z"))));
    RowPrice listed = book.explain("GET", WALLET, Optional.empty()).orElseThrow();
    assertThat(listed.row().path()).isEqualTo(WALLET_ROW);
    assertThat(listed.now().rule()).isEqualTo("list");
    assertThat(listed.next()).isEmpty();
    assertThat(book.explain("GET", WALLET_ROW, Optional.empty())).contains(listed);
    assertThat(book.explain("GET", "/v1/nothing", Optional.empty())).isEmpty();
    assertThat(book.rows()).hasSizeGreaterThan(130);
    assertThat(
            book.explain("POST", "/v1/marketplace/websearch/highlights", Optional.empty())
                .orElseThrow()
                .now()
                .price())
        .contains(Usd.parse("0.002"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/messages", "/v1/chat/completions", "/v1/responses"})
  @Tag("spec:operator.prices.explain")
  void callsOfModelsArePricedByTokensUntilTheBookSaysOtherwise(String path) {
    RowPrice price = book().explain("POST", path, Optional.empty()).orElseThrow();
    assertThat(price.row().list()).isEmpty();
    assertThat(price.now())
        .isEqualTo(new RowPrice.Step(Optional.empty(), "tokens", "first", Optional.empty()));
    RowPrice fixed =
        book("row.POST" + path + "=0.05").explain("POST", path, Optional.empty()).orElseThrow();
    assertThat(fixed.now().price()).contains(Usd.parse("0.05"));
    assertThat(fixed.now().rule()).isEqualTo("row.POST" + path);
  }

  @Test
  @Tag("spec:operator.prices.checked")
  void everyProblemOfTheFileIsToldAtOnceWithItsPlace() {
    PriceBook book =
        book(
            "group.cryptodat=0.002",
            "row.GET/v1/marketplace/cryptodata/market/etv=0.003",
            "group.cryptodata=0.0000001",
            "group.prediction=1001",
            "grup.cryptodata=1",
            "version.a.from=tomorrow",
            "version.b.group.cryptodata=1",
            "from=2026-12-01T00:00:00Z");
    assertThat(book.problems())
        .anyMatch(line -> line.matches("prices.properties:1 .*did you mean cryptodata\\?"))
        .anyMatch(line -> line.matches("prices.properties:2 .*did you mean GET.*/market/etf\\?"))
        .anyMatch(line -> line.startsWith("prices.properties:3 "))
        .anyMatch(line -> line.startsWith("prices.properties:4 "))
        .anyMatch(line -> line.startsWith("prices.properties:5 "))
        .anyMatch(line -> line.startsWith("prices.properties:6 "))
        .anyMatch(line -> line.startsWith("version.b.from is missing"))
        .anyMatch(line -> line.startsWith("prices.properties:8 "));
  }

  @Test
  @Tag("spec:operator.prices.checked")
  void twoVersionsAtOneMomentAndAMissingFileAreProblems() {
    assertThat(
            book("version.a.from=2026-12-01T00:00:00Z", "version.b.from=2026-12-01T00:00:00Z")
                .problems())
        .hasSize(1);
    PriceSettings missing =
        new PriceSettings(Optional.of(folder.resolve("no")), Duration.ZERO, SMART, READ, Map.of());
    assertThat(book(missing).problems()).hasSize(1);
  }

  private PriceBook costing(Map<String, Usd> costs) {
    return book(new PriceSettings(Optional.empty(), Duration.ZERO, SMART, READ, costs));
  }

  @Test
  void aCostIsThatOfTheRowElseThatOfTheGroup() {
    String row = "/v1/marketplace/prediction/venue-a/wallet/{wallet}";
    PriceBook book =
        costing(
            Map.of("group.prediction", Usd.parse("0.001"), "row.GET" + row, Usd.parse("0.000125")));
    assertThat(book.problems()).isEmpty();
    assertThat(book.cost("prediction", "GET", row)).contains(Usd.parse("0.000125"));
    assertThat(book.cost("prediction", "GET", "/other")).contains(Usd.parse("0.001"));
    assertThat(book.cost("cryptodata", "GET", "/v1/marketplace/cryptodata/market/etf")).isEmpty();
  }

  @Test
  void aCostOfWhatIsNotSoldOrOfAKeyStopsTheStart() {
    for (String line : List.of("group.predictions", "row.GET/v1/nothing", "key.a.group.phone")) {
      assertThat(costing(Map.of(line, SMART)).problems())
          .singleElement()
          .asString()
          .contains("gateway.prices.cost", line);
    }
  }
}
