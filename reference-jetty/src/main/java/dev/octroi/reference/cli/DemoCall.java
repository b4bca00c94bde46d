package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of the demo: each kind of endpoint that the gateway has, once. */
enum DemoCall {
  TICKER("/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT", null),
  FEAR_AND_GREED("/v1/marketplace/cryptodata/market/fear-greed", null),
  WALLET(
      "/v1/marketplace/cryptodata/wallet/detail?address=0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
      null),
  SQL(
      "/v1/marketplace/cryptodata/onchain/sql",
      "{\"sql\":\"SELECT COUNT(*) AS transactions FROM ethereum.transactions\"}"),
  QUERY(
      "/v1/marketplace/cryptodata/onchain/query",
      "{\"source\":\"ethereum.transactions\",\"question\":\"latest transactions\",\"limit\":3}"),
  MARKETS("/v1/marketplace/prediction/venue-a/markets?limit=3", null),
  SEARCH("/v1/marketplace/prediction/markets/search?q=bitcoin&limit=3", null),
  LEADERBOARD("/v1/prediction/venue-a/leaderboard?limit=3", null),
  IDENTITIES(
      "/v1/marketplace/prediction/venue-a/wallet/identities",
      "{\"addresses\":[\"0xd8da6bf26964af9d7eed9e03e53415d37aa96045\"]}"),
  WEB_FETCH("/v1/marketplace/cryptodata/web/fetch?url=https://example.com/", null),
  WEB_SEARCH(
      "/v1/marketplace/websearch/search",
      "{\"query\":\"payments by HTTP status 402\",\"numResults\":3}"),
  WEB_CONTENTS(
      "/v1/marketplace/websearch/contents", "{\"ids\":[\"https://wiki.example/Tidal_power\"]}"),
  WEB_ANSWER(
      "/v1/marketplace/websearch/answer", "{\"query\":\"How long before a flood do rivers hum?\"}"),
  WEB_HIGHLIGHTS(
      "/v1/marketplace/websearch/highlights",
      "{\"query\":\"costs\",\"ids\":[\"https://wiki.example/Tidal_power\"]}"),
  SMART_SEARCH("/v1/search", "{\"query\":\"How is tidal power made?\",\"max_results\":3}"),
  CHAT_SEARCH(
      "/v1/chat/completions",
      "{\"model\":\"auto/search\",\"messages\":[{\"role\":\"user\",\"content\":\"How is tidal"
          + " power made?\"}]}"),
  MESSAGES(
      "/v1/messages",
      "{\"model\":\"claude-haiku-4.5\",\"max_tokens\":100,"
          + "\"messages\":[{\"role\":\"user\",\"content\":\"count to 5\"}]}"),
  CHAT(
      "/v1/chat/completions",
      "{\"model\":\"auto/eco\",\"max_tokens\":100,"
          + "\"messages\":[{\"role\":\"user\",\"content\":\"count to 5\"}]}"),
  RESPONSES(
      "/v1/responses",
      "{\"model\":\"gpt-5.4-mini\",\"max_output_tokens\":100,\"input\":\"count to 5\"}"),
  IMAGE(
      "/v1/images/generations",
      "{\"model\":\"auto/image\",\"prompt\":\"a toll gate at the edge of a forest\"}"),
  MUSIC(
      "/v1/audio/generations",
      "{\"model\":\"auto/music\",\"prompt\":\"lo-fi, mellow, 80 bpm\",\"duration_seconds\":30}"),
  LOOKUP("/v1/marketplace/phone/lookup", "{\"phoneNumber\":\"+14155550123\"}"),
  FRAUD("/v1/marketplace/phone/lookup/fraud", "{\"phoneNumber\":\"+14155550123\"}"),
  NUMBER_BUY("/v1/marketplace/phone/numbers/buy", "{\"country\":\"US\",\"areaCode\":\"415\"}"),
  NUMBER_LIST("/v1/marketplace/phone/numbers/list", "{}"),
  NUMBER_RENEW("/v1/marketplace/phone/numbers/renew", "{\"phoneNumber\":\"{number}\"}"),
  CALL(
      "/v1/marketplace/voice/call",
      "{\"to\":\"+14155550106\",\"from\":\"{number}\",\"task\":\"Ask for the opening hours\"}"),
  CALL_RECORD("/v1/marketplace/voice/call/{call}", null),
  CALL_TRANSFER(
      "/v1/marketplace/voice/call/transfer", "{\"call_id\":\"{call}\",\"to\":\"+14155550123\"}"),
  CALL_END("/v1/marketplace/voice/call/end", "{\"call_id\":\"{call}\"}"),
  NUMBER_RELEASE("/v1/marketplace/phone/numbers/release", "{\"phoneNumber\":\"{number}\"}");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final String target;
  private final @Nullable String body;

  DemoCall(String target, @Nullable String body) {
    this.target = target;
    this.body = body;
  }

  String endpoint() {
    int query = target.indexOf('?');
    return (body == null ? "GET " : "POST ") + (query < 0 ? target : target.substring(0, query));
  }

  /** Whether it is one of the reads, each of which has an example of its own. */
  boolean isRead() {
    return body == null && this != CALL_RECORD;
  }

  /**
   * The call as it is sent.
   *
   * @param bought what earlier calls have brought: the number and the call that are spoken of
   */
  HttpRequest request(URI base, DemoThings bought) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(base.toString().replaceAll("/$", "") + bought.namedIn(target)))
            .timeout(TIMEOUT);
    return body == null
        ? request.build()
        : request
            .header("Content-Type", "application/json")
            .header("anthropic-version", "2023-06-01")
            .POST(BodyPublishers.ofString(bought.namedIn(body)))
            .build();
  }

  /**
   * What the demo's calls have brought that later ones speak of.
   *
   * @param number a phone number, {@code {number}} in what is sent; empty if there is none
   * @param call the id of a call, {@code {call}}; empty if there is none
   */
  record DemoThings(String number, String call) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static final DemoThings NONE = new DemoThings("", "");

    /** What an answer names. */
    static DemoThings in(PaidAnswer answer) {
      try {
        JsonNode body = JSON.readTree(answer.body());
        return new DemoThings(body.path("phone_number").asText(), body.path("call_id").asText());
      } catch (IOException notJson) {
        return NONE;
      }
    }

    /** What is newer stands before what is known. */
    DemoThings and(DemoThings newer) {
      return new DemoThings(
          newer.number.isEmpty() ? number : newer.number, newer.call.isEmpty() ? call : newer.call);
    }

    String namedIn(String text) {
      return text.replace("{number}", number).replace("{call}", call);
    }
  }
}
