package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Stablecoin;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is left of revenue, with gas of a real chain. */
abstract class MarginContract {

  private static final String ROW = "/v1/marketplace/cryptodata/market/etf";
  private static final String OTHER = "/v1/marketplace/prediction/venue-a/events";
  private static final String NETWORK = "eip155:8453";
  private static final BigDecimal COIN = new BigDecimal("2500.5");

  private Anvil anvil;
  private Stablecoin coin;
  private RouteTarget target;
  private Admin admin;
  private final Wallet payer = Wallet.generate();
  private BigDecimal gas = BigDecimal.ZERO;

  /** A new database with the schema and nothing in it. */
  abstract DataSource emptyDatabase();

  @BeforeEach
  void start() {
    anvil = Anvil.start();
    coin = Stablecoin.deploy(anvil);
    anvil.setBalance("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F", BigInteger.TEN.pow(20));
    coin.mint(payer.address().toString(), 10_000_000);
    target = new RouteTarget();
  }

  @AfterEach
  void stop() {
    if (admin != null) {
      admin.close();
    }
    if (target != null) {
      target.close();
    }
    if (anvil != null) {
      anvil.close();
    }
  }

  private void open(Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.payments.mode", "chain");
    all.put("gateway.payments.pay-to", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
    all.put("gateway.chain.rpc-url", anvil.url().toString());
    all.put("gateway.chain.relayer-keys", "46".repeat(32));
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base() + "/api");
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.routes.weather.free", "/health");
    all.putAll(more);
    admin = Admin.routing(all, emptyDatabase());
  }

  private int call(String path) {
    PaidAnswer answer = admin.host().paid(admin.host().http().request(path).build(), payer);
    if (answer.receipt() != null && answer.isSuccess()) {
      JsonNode receipt = anvil.receipt(answer.receipt().transaction());
      BigInteger wei = number(receipt, "gasUsed").multiply(number(receipt, "effectiveGasPrice"));
      gas = gas.add(new BigDecimal(wei, 18));
    }
    return answer.status();
  }

  private static BigInteger number(JsonNode receipt, String name) {
    return new BigInteger(receipt.path(name).asText().substring(2), 16);
  }

  private static JsonNode named(JsonNode list, String member, String value) {
    return StreamSupport.stream(list.spliterator(), false)
        .filter(one -> one.path(member).asText().equals(value))
        .findFirst()
        .orElseThrow()
        .path("figures");
  }

  private static BigDecimal amount(JsonNode figures, String member) {
    return new BigDecimal(figures.path(member).asText());
  }

  @Test
  @Tag("spec:operator.books")
  void whatIsLeftIsRevenueLessVendorsAndGasToTheLastDigit() {
    open(
        Map.of(
            "gateway.prices.cost.group.cryptodata",
            "0.001",
            "gateway.prices.cost.row.GET" + ROW,
            "0.000125",
            "gateway.prices.cost.group.prediction",
            "0.0004",
            "gateway.routes.weather.cost",
            "0.003",
            "gateway.chain.coin-price",
            COIN.toPlainString()));
    assertThat(call(ROW)).isEqualTo(200);
    admin.host().vendor().says("/market/etf", 500, "{}");
    assertThat(call(ROW)).isEqualTo(502);
    assertThat(call(OTHER)).isEqualTo(200);
    assertThat(call("/weather/paris?day=1")).isEqualTo(200);
    assertThat(call("/weather/rome")).isEqualTo(200);
    assertThat(call("/weather/health")).isEqualTo(200);
    // Told the price, asked nothing.
    assertThat(admin.host().http().get("/weather/oslo").statusCode()).isEqualTo(402);

    JsonNode margin = admin.get("margin");

    JsonNode etf = named(margin.path("rows"), "path", ROW);
    assertThat(etf.path("calls").asInt()).isEqualTo(1);
    long asked =
        admin.host().vendor().asked().stream().filter(one -> one.contains("/market/etf")).count();
    assertThat(asked).as("the uncharged ones too, which the client repeats").isGreaterThan(1);
    assertThat(etf.path("asked").asLong()).isEqualTo(asked);
    assertThat(amount(etf, "cost"))
        .isEqualByComparingTo(new BigDecimal("0.000125").multiply(BigDecimal.valueOf(asked)));
    JsonNode weather = named(margin.path("groups"), "group", "weather");
    assertThat(amount(weather, "taken")).isEqualByComparingTo("0.02");
    assertThat(weather.path("asked").asInt()).as("the free one too").isEqualTo(3);
    assertThat(amount(weather, "cost")).isEqualByComparingTo("0.009");
    assertThat(named(margin.path("rows"), "path", "/weather/{path}").path("calls").asInt())
        .isEqualTo(2);
    JsonNode total = margin.path("total");
    assertThat(total.path("uncosted").asInt()).isZero();
    assertThat(total.path("gas").size()).isEqualTo(1);
    assertThat(new BigDecimal(total.path("gas").path(NETWORK).asText())).isEqualByComparingTo(gas);
    assertThat(gas).isPositive();
    assertThat(amount(total, "gasUsd")).isEqualByComparingTo(gas.multiply(COIN));
    assertThat(amount(total, "margin"))
        .isEqualByComparingTo(
            amount(total, "taken").subtract(amount(total, "cost")).subtract(gas.multiply(COIN)));
    BigDecimal ofRows =
        StreamSupport.stream(margin.path("rows").spliterator(), false)
            .map(row -> amount(row.path("figures"), "margin"))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    assertThat(ofRows).isEqualByComparingTo(amount(total, "margin"));
  }

  @Test
  @Tag("spec:operator.books")
  void withoutACostOrAPriceOfTheCoinNothingIsMadeUp() {
    open(Map.of("gateway.prices.cost.group.cryptodata", "0.001"));
    assertThat(call(OTHER)).isEqualTo(200);
    assertThat(call(ROW)).isEqualTo(200);

    JsonNode margin = admin.get("margin");

    JsonNode uncosted = named(margin.path("groups"), "group", "prediction");
    assertThat(uncosted.path("cost").isNull()).isTrue();
    assertThat(uncosted.path("uncosted").asInt()).isEqualTo(1);
    assertThat(uncosted.path("gasUsd").isNull()).isTrue();
    assertThat(uncosted.path("gas").path(NETWORK).asText()).isNotEmpty();
    assertThat(uncosted.path("margin").isNull()).isTrue();
    assertThat(amount(margin.path("total"), "cost")).isEqualByComparingTo("0.001");
    assertThat(margin.path("total").path("uncosted").asInt()).isEqualTo(1);
    assertThat(margin.path("coinPrice").isNull()).isTrue();
    JsonNode before =
        admin.get("margin?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z").path("total");
    assertThat(before.path("gas")).isEmpty();
    assertThat(before.path("cost").isNull()).isTrue();
    String tooLong = "margin?from=" + Instant.now().minus(Duration.ofDays(33));
    assertThat(admin.status("GET", tooLong, null)).isEqualTo(400);
  }
}
