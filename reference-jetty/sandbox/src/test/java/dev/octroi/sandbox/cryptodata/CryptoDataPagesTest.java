package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists obey their limit and move on; what does not exist is 404; what is wrong is told. */
class CryptoDataPagesTest {

  private static final String WALLET = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
  private static final String UNKNOWN = "0x0c72010000000000000000000000000000000000";
  private static final VendorServer SERVER = new VendorServer();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/market/ranking?",
        "/market/liquidation/order?",
        "/onchain/bridge/ranking?",
        "/onchain/yield/ranking?",
        "/wallet/history?address=" + WALLET + "&",
        "/wallet/transfers?address=" + WALLET + "&",
        "/social/ranking?",
        "/token/dex-trades?address=" + WALLET + "&",
        "/token/holders?chain=base&address=" + WALLET + "&",
        "/token/transfers?chain=base&address=" + WALLET + "&",
        "/fund/ranking?metric=tier&",
        "/news/feed?",
        "/search/web?q=company&",
        "/search/wallet?q=exchange&",
        "/search/project?q=defi&",
        "/search/events?q=uniswap&",
        "/prediction-market/{venue-a}/trades?",
        "/prediction-market/{venue-b}/trades?ticker=KXBTC-26DEC31-T150000&",
        "/prediction-market/{venue-b}/markets?",
        "/prediction-market/{venue-b}/ranking?"
      })
  void offsetsMoveThroughTheListWithoutOverlap(String path) throws Exception {
    JsonNode whole = SERVER.get(path + "limit=4").data();
    VendorServer.Reply first = SERVER.get(path + "limit=2");
    VendorServer.Reply second = SERVER.get(path + "limit=2&offset=2");

    assertThat(first.data()).hasSize(2);
    assertThat(concat(first.data(), second.data()))
        .isEqualTo(concat(whole))
        .doesNotHaveDuplicates();
    assertThat(first.json().path("meta").path("has_more").asBoolean()).isTrue();
    assertThat(SERVER.get(path + "offset=1000000").data()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/social/user/followers?handle=aave",
        "/social/user/following?handle=aave",
        "/social/user/posts?handle=aave",
        "/social/user/replies?handle=aave",
        "/social/tweet/replies?tweet_id=10743141383931385224",
        "/search/social/people?q=onchain",
        "/search/social/posts?q=the"
      })
  void cursorsMoveThroughTheListToItsEnd(String path) throws Exception {
    List<JsonNode> seen = new ArrayList<>();
    String cursor = "";
    do {
      VendorServer.Reply page = SERVER.get(path + "&limit=20" + cursor);
      page.data().forEach(seen::add);
      JsonNode meta = page.json().path("meta");
      assertThat(meta.path("has_more").asBoolean())
          .isEqualTo(!meta.path("next_cursor").asText().isEmpty());
      cursor =
          meta.path("has_more").asBoolean() ? "&cursor=" + meta.path("next_cursor").asText() : "";
    } while (!cursor.isEmpty());

    assertThat(seen).hasSizeGreaterThan(20).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing",
        "/exchange/price?pair=NOPE/USDT",
        "/exchange/klines?pair=BTC/NOPE",
        "/market/price?symbol=NOPE",
        "/market/liquidation/chart?symbol=NOPE",
        "/onchain/tx?chain=ethereum&hash=0x1234",
        "/onchain/tx?chain=ethereum"
            + "&hash=0x0c72010000000000000000000000000000000000000000000000000000000000",
        "/wallet/detail?address=" + UNKNOWN,
        "/wallet/history?address=" + UNKNOWN,
        "/wallet/net-worth?address=" + UNKNOWN,
        "/wallet/labels/batch?addresses=" + WALLET + "," + UNKNOWN,
        "/social/detail?q=nobody_of_that_name",
        "/social/user?handle=nobody_of_that_name",
        "/social/user/posts?handle=nobody_of_that_name",
        "/social/tweets?ids=10743141383931385225",
        "/social/tweet/replies?tweet_id=12",
        "/social/mindshare?interval=1d&q=nothing-of-that-name",
        "/token/tokenomics?symbol=NOPE",
        "/token/holders?chain=base&address=" + UNKNOWN,
        "/fund/detail?q=nothing-of-that-name",
        "/fund/portfolio?q=nothing-of-that-name",
        "/project/detail?q=nothing-of-that-name",
        "/news/detail?id=e5bc5c7f31d523a8bb198944",
        "/news/feed?project=nothing-of-that-name",
        "/prediction-market/{venue-a}/markets?market_slug=nothing-of-that-name",
        "/prediction-market/{venue-a}/prices?condition_id=0x00",
        "/prediction-market/{venue-b}/prices?ticker=NOPE"
      })
  void theUnknownIsTheVendors404(String path) throws Exception {
    VendorServer.Reply reply = SERVER.get(path);

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.code()).isEqualTo("NOT_FOUND");
    assertThat(reply.json().path("error").path("message").asText()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "/exchange/price, 400",
    "/exchange/price?pair=BTCUSDT, 422",
    "/exchange/price?pair=BTC/USDT&colour=red, 400",
    "/fund/detail, 400",
    "/web/fetch?url=file:///etc/passwd, 400",
    "/social/user/posts?handle=aave&cursor=abc, 400",
    "/exchange/price?pair=BTC/USDT&exchange=nowhere, 422",
    "/market/ranking?limit=0, 422",
    "/market/ranking?limit=101, 422",
    "/market/ranking?limit=ten, 422",
    "/market/ranking?offset=-1, 422",
    "/market/fear-greed?from=yesterday, 422"
  })
  void aBadParameterIsRefused(String path, int status) throws Exception {
    assertThat(SERVER.get(path).status()).isEqualTo(status);
  }

  @Test
  void postingToAReadIs405() throws Exception {
    assertThat(SERVER.post("/market/ranking", "{}").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/exchange/price?pair=SLOW5/OCTROI",
        "/market/price?symbol=OCTROISLOW5",
        "/wallet/detail?address=0x0c72010100000000000000000000000000000005",
        "/social/user?handle=octroi_slow_5",
        "/project/detail?q=octroi-slow-5",
        "/fund/detail?q=octroi-slow-5",
        "/news/detail?id=octroi-slow-5",
        "/prediction-market/{venue-b}/prices?ticker=octroi-slow-5"
      })
  void aSlowMagicValueIsAnsweredAsIfItExisted(String path) throws Exception {
    assertThat(SERVER.get(path).status()).isEqualTo(200);
  }

  private static List<JsonNode> concat(JsonNode... lists) {
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode list : lists) {
      list.forEach(all::add);
    }
    return all;
  }
}
