package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.figure;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.object;
import static dev.octroi.services.read.UpstreamJson.present;
import static dev.octroi.services.read.UpstreamJson.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The records that the specification states for this group, made from the vendor's bodies
 * (specification, crypto-data records). The SQL result has a class of its own.
 */
final class StatedRecords {

  private static final Map<CryptoDataRead, AnswerMapper> MAPPERS =
      Map.of(
          CryptoDataRead.EXCHANGE_PRICE, StatedRecords::tickers,
          CryptoDataRead.MARKET_FEAR_GREED, StatedRecords::fearAndGreed,
          CryptoDataRead.WALLET_DETAIL, WalletDetail::of);

  private static final List<String> TICKER_NUMBERS =
      List.of(
          "last",
          "bid",
          "ask",
          "high_24h",
          "low_24h",
          "volume_24h_base",
          "change_24h_pct",
          "timestamp");

  private StatedRecords() {}

  /** The record's maker; for rows without a stated record the bytes as they are. */
  static AnswerMapper of(CryptoDataRead row) {
    return MAPPERS.getOrDefault(row, (arguments, answer) -> answer.body());
  }

  private static byte[] tickers(Arguments arguments, UpstreamAnswer answer) {
    ObjectNode envelope = record();
    ArrayNode tickers = envelope.putArray("data");
    for (JsonNode said : list(object(answer.body()), "data")) {
      ObjectNode ticker = tickers.addObject();
      ticker.set("exchange", present(at(said, "exchange"), "exchange"));
      ticker.put("pair", pair(present(said.path("pair"), "pair").asText()));
      TICKER_NUMBERS.forEach(name -> ticker.set(name, figure(said, name)));
      present(ticker.path("last"), "last");
    }
    return UpstreamJson.bytes(envelope);
  }

  /** A perpetual contract's pair carries its settlement currency: BASE/QUOTE:SETTLEMENT. */
  private static String pair(String said) {
    return said.split(":", 2)[0].replace('-', '/');
  }

  private static byte[] fearAndGreed(Arguments arguments, UpstreamAnswer answer) {
    List<JsonNode> days = new ArrayList<>();
    list(object(answer.body()), "data").forEach(days::add);
    Failures.require(!days.isEmpty(), "data has no day");
    days.sort(Comparator.comparingLong(StatedRecords::timestamp).reversed());
    JsonNode today = days.get(0);
    ObjectNode index = record();
    index.set("value", present(figure(today, "value"), "value"));
    index.set("label", present(at(today, "classification"), "classification"));
    if (days.size() > 1) {
      index.set("previous_close", figure(days.get(1), "value"));
    } else {
      index.putNull("previous_close");
    }
    index.set("timestamp", present(figure(today, "timestamp"), "timestamp"));
    return UpstreamJson.bytes(index);
  }

  private static long timestamp(JsonNode day) {
    return day.path("timestamp").asLong();
  }

  /** The distinct texts under a name, in order of appearance. */
  static Set<String> texts(JsonNode list, String name) {
    Set<String> texts = new LinkedHashSet<>();
    for (JsonNode element : list) {
      String text = element.path(name).asText("");
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }

  /** Makes a record that the specification states from the upstream's body. Thread-safe. */
  @FunctionalInterface
  interface AnswerMapper {

    /**
     * The body for the caller; the upstream's own array where nothing is stated.
     *
     * @throws dev.octroi.services.Failure 502 for a body of another shape, or the caller's own
     *     error
     */
    byte[] map(Arguments arguments, UpstreamAnswer answer);
  }
}
