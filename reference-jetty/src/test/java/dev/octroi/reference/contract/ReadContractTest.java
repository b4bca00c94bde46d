package dev.octroi.reference.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.cryptodata.CryptoDataVendor;
import dev.octroi.sandbox.prediction.PredictionVendor;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.CryptoDataConnector;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.prediction.PredictionReads;
import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.Credential;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every row, with every variant of every parameter that it lists, against the vendors' contracts:
 * what the gateway does not refuse itself, the vendor takes.
 */
class ReadContractTest {

  private static final Clock NOW =
      Clock.fixed(Instant.ofEpochSecond(1_781_000_000), ZoneOffset.UTC);
  private static final String WALLET = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
  private static final String BASE58 = "7Xz8f3Qm2KpR1vT9uYwLcB4dNhS6eJgA5oMkFiZtVxWq";

  private static final FixedVendor PREDICTION_VENDOR =
      new FixedVendor(new PredictionVendor(NOW), Credential.header("x-api-key", "octroi-test"));
  private static final FixedVendor CRYPTO_DATA_VENDOR =
      new FixedVendor(new CryptoDataVendor(NOW), Credential.bearer("octroi-test"));

  @AfterAll
  static void close() {
    PREDICTION_VENDOR.close();
    CRYPTO_DATA_VENDOR.close();
  }

  @ParameterizedTest
  @EnumSource
  void aPredictionRowAsksWhatTheVendorHas(PredictionRead row) {
    asksWhatTheVendorHas(row, PREDICTION_VENDOR);
  }

  @ParameterizedTest
  @EnumSource
  void aCryptoDataRowAsksWhatTheVendorHas(CryptoDataRead row) {
    asksWhatTheVendorHas(row, CRYPTO_DATA_VENDOR);
  }

  /** A row is direct, composed or not offered; the three say of the contract what they mean. */
  private static void asksWhatTheVendorHas(Read row, FixedVendor vendor) {
    ReadSource source = row.source();
    String own = row.path().replaceAll(":(\\w+)", "{$1}");
    switch (source.state()) {
      case DIRECT -> assertThat(source.first().path()).isEqualTo(own);
      case COMPOSED -> assertThat(source.note()).isNotBlank();
      case NOT_OFFERED -> {
        assertThat(source.note()).isNotBlank();
        assertThat(vendor.knows(own)).as(own).isFalse();
        return;
      }
    }
    assertThat(source.requests())
        .allSatisfy(request -> assertThat(vendor.knows(request.path())).isTrue());
    assertThat(source.calls()).isBetween(1, 11);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:decision.prediction.defaults")
  void aPredictionRowWithoutMoreThanItNeedsIsAnswered(PredictionRead row) {
    if (row.source().isOffered()) {
      assertThat(taken(row, required(row))).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCryptoDataRowWithoutMoreThanItNeedsIsAnswered(CryptoDataRead row) {
    assertThat(taken(row, required(row))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void everyVariantOfAPredictionRowIsTakenByTheVendorOrRefusedHere(PredictionRead row) {
    variantsAreTakenOrRefused(row);
  }

  @ParameterizedTest
  @EnumSource
  void everyVariantOfACryptoDataRowIsTakenByTheVendorOrRefusedHere(CryptoDataRead row) {
    variantsAreTakenOrRefused(row);
  }

  private static void variantsAreTakenOrRefused(Read row) {
    if (!row.source().isOffered()) {
      return;
    }
    for (Parameter parameter : row.parameters()) {
      boolean refused = parameter.refusal() != null;
      for (String value : valid(parameter)) {
        boolean taken = taken(row, with(row, required(row), parameter, value));
        assertThat(taken).as(row + " " + parameter.name() + "=" + value).isEqualTo(!refused);
      }
      for (String value : PROBES) {
        taken(row, with(row, required(row), parameter, value));
      }
    }
  }

  /** What a parameter may be given by a caller who has not read about it. */
  private static final List<String> PROBES =
      List.of(
          "octroi",
          "ab",
          "0",
          "-1",
          "1.5",
          "999999999999",
          "true",
          "@name",
          "2026-06-09",
          "a,b",
          "a".repeat(101),
          "a".repeat(201),
          WALLET,
          BASE58,
          "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
          "A-B");

  /** Values that the row lists: each word, the bounds, or an example of the kind. */
  private static Set<String> valid(Parameter parameter) {
    Set<String> values = new LinkedHashSet<>(parameter.allowed());
    if (!values.isEmpty()) {
      return values;
    }
    BigDecimal min = parameter.min();
    BigDecimal max = parameter.max();
    switch (parameter.kind()) {
      case TEXT -> {
        if (min != null || max != null) {
          values.add("a".repeat(parameter.shortest()));
          values.add("a".repeat(parameter.longest()));
        }
        values.add(
            switch (parameter.name()) {
              case "hash" -> "0xab";
              case "url" -> "https://example.com/";
              case "address" -> WALLET;
              default -> "abc";
            });
      }
      case LIST -> {
        values.add(element(parameter));
        values.add(
            (element(parameter) + ",").repeat(parameter.mostElements()).replaceAll(",$", ""));
      }
      case BOOLEAN -> values.addAll(List.of("true", "false"));
      case INTEGER, DECIMAL -> {
        values.add(min == null ? "-7" : min.toPlainString());
        values.add(max == null ? "70000" : max.toPlainString());
      }
      case TIME -> values.add("1780999999");
      case DATE -> values.add("2026-06-09");
      case PAIR -> values.add("BTC-USDT");
      case EVM_ADDRESS -> values.add(WALLET);
      case BASE58_ADDRESS -> values.add(BASE58);
    }
    return values;
  }

  private static String element(Parameter parameter) {
    return parameter.name().equals("ids") ? "123456" : WALLET;
  }

  /** What the row requires, and what several parameters must be together. */
  private static Map<String, String> required(Read row) {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (Parameter parameter : row.parameters()) {
      if (parameter.required()) {
        arguments.put(parameter.name(), example(row, parameter));
      }
    }
    switch (row.name()) {
      case "VENUE_A_SMART_MONEY", "VENUE_A_SMART_ACTIVITY" -> {
        arguments.put("min_volume", "10000");
        arguments.put("min_trades", "100");
      }
      case "MATCHING_MARKETS" -> arguments.put("venue_a_condition_id", "0x1");
      default -> {}
    }
    return arguments;
  }

  private static String example(Read row, Parameter parameter) {
    return switch (parameter.name()) {
      case "start_time" -> "1780990000";
      case "end_time" -> "1780999999";
      case "id" -> row.path().startsWith("/venue-a/") ? "0x1" : valid(parameter).iterator().next();
      default -> valid(parameter).iterator().next();
    };
  }

  private static Map<String, String> with(
      Read row, Map<String, String> arguments, Parameter parameter, String value) {
    Map<String, String> all = new LinkedHashMap<>(arguments);
    boolean identifier = parameter.name().matches("(venue_[abd]|predict|opinion)_.*");
    if (row == PredictionRead.MATCHING_MARKETS && identifier) {
      all.clear();
    } else if (identifier) {
      all.put("venue_a_condition_id", "0x1");
      all.put("venue_b_market_ticker", "T");
    }
    all.put(parameter.name(), value);
    return all;
  }

  /** Whether the vendor was asked, which then took every request, as many as the row says. */
  private static boolean taken(Read row, Map<String, String> arguments) {
    boolean prediction = row instanceof PredictionRead;
    FixedVendor vendor = prediction ? PREDICTION_VENDOR : CRYPTO_DATA_VENDOR;
    vendor.forget();
    Map<String, String> path = new LinkedHashMap<>();
    Map<String, List<String>> query = new LinkedHashMap<>();
    arguments.forEach(
        (name, value) -> {
          if ((row.path() + "/").contains("/:" + name + "/")) {
            path.put(name, value);
          } else {
            query.put(name, List.of(value));
          }
        });
    try {
      reads(prediction).read(row, path, query, Deadline.in(Duration.ofSeconds(30)));
    } catch (Failure refused) {
      if (refused.code().status() == 400) {
        assertThat(vendor.refusals()).isEmpty();
        assertThat(vendor.requests()).as(row + " " + arguments + refused).isZero();
        return false;
      }
    }
    assertThat(vendor.refusals()).as(row + " " + arguments).isEmpty();
    assertThat(vendor.requests()).as(row + " " + arguments).isBetween(1, row.source().calls());
    return true;
  }

  /** Which remember nothing yet. */
  private static Reads reads(boolean prediction) {
    CacheSettings cache = CacheSettings.standard();
    return prediction
        ? new PredictionReads(PREDICTION_VENDOR.client(), PredictionSettings.standard(), cache, NOW)
        : new UpstreamReads(
            CRYPTO_DATA_VENDOR.client(),
            new CryptoDataConnector(true, CRYPTO_DATA_VENDOR.words()),
            cache,
            NOW);
  }
}
