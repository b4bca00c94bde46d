package dev.octroi.api;

import static dev.octroi.api.ModelWords.completion;
import static dev.octroi.api.ModelWords.message;
import static dev.octroi.api.ModelWords.prompt;
import static dev.octroi.api.ModelWords.response;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Vendors of every group that call a failure a success: no payer is charged for it. */
class HostileVendorTest {

  /** A call of each group, and an answer of its vendor's that is sold. */
  enum Call {
    CRYPTO(
        "/v1/marketplace/cryptodata/market/fear-greed",
        "",
        "{'data':[{'value':50,'classification':'Neutral','timestamp':1}]}"),
    PREDICTION(
        "/v1/marketplace/prediction/venue-a/trades?condition_id=0x%d",
        "", "{'trades':[{'price':0.5,'timestamp':1}]}"),
    IDENTITIES(
        "/v1/marketplace/prediction/venue-a/wallet/identities",
        "{'addresses':['0xd8da6bf26964af9d7eed9e03e53415d37aa96045']}",
        "{'profiles':{'0xd8da6bf26964af9d7eed9e03e53415d37aa96045':{'type':'proxy'}}}"),
    WEB_SEARCH(
        "/v1/marketplace/websearch/search",
        "{'query':'q'}",
        "{'results':[{'title':'A','url':'https://a.example/'}]}"),
    WEB_ANSWER(
        "/v1/marketplace/websearch/answer", "{'query':'q'}", "{'answer':'A','citations':[]}"),
    CONTENTS(
        "/v1/marketplace/websearch/contents",
        "{'ids':['https://a.example/']}",
        "{'results':[{'url':'https://a.example/','text':'t'}]}"),
    LOOKUP(
        "/v1/marketplace/phone/lookup",
        "{'phoneNumber':'+14155552671'}",
        "{'phone_number':'+14155552671','valid':true,'line_type_intelligence':{'type':'mobile'}}"),
    SMART_SEARCH(
        "/v1/search",
        "{'query':'q'}",
        "{'results':[{'title':'A','url':'https://a.example/','text':'t'}],"
            + completion(10, 20).substring(1)),
    CHAT("/v1/chat/completions", prompt("compatible-1.0", 100), completion(10, 20)),
    RESPONSES("/v1/responses", "{'model':'items-1.0','input':'Hello'}", response("Hello", 10, 20)),
    MESSAGES("/v1/messages", prompt("adaptive-1.0", 100), message(10, 20)),
    IMAGE(
        "/v1/images/generations",
        "{'model':'provider-a/image-1','prompt':'p'}",
        "{'created':1,'data':[{'b64_json':'" + ImageVendor.picture(16) + "'}]}"),
    MUSIC(
        "/v1/audio/generations",
        "{'model':'auto/music','prompt':'p'}",
        "{'data':{'audio':'49443320','status':2},'base_resp':{'status_code':0}}");

    private final String path;
    private final String body;
    private final String good;

    Call(String path, String body, String good) {
      this.path = path;
      this.body = body.replace('\'', '"');
      this.good = good.replace('\'', '"');
    }

    /** No two reads are the same, so that none is answered from memory. */
    HttpRequest request(String asked) {
      HttpRequest.Builder request = host.http().request(path.formatted(CALLS.incrementAndGet()));
      if (this == MESSAGES) {
        request.header("anthropic-version", "2023-06-01");
      }
      return asked.isEmpty()
          ? request.build()
          : request
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(asked))
              .build();
    }

    /** Which of the specification's shapes the group's errors have. */
    boolean hasTypes() {
      return ordinal() >= CHAT.ordinal();
    }
  }

  /** How what is right is told wrongly. */
  enum Lie {
    TRUNCATED(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return good.substring(0, good.length() - 1).getBytes(UTF_8);
      }
    },
    TWICE(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return (good + good).getBytes(UTF_8);
      }
    },
    A_MEMBER_TWICE(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return ("{\"error\":null,\"error\":{\"message\":\"m\"}," + good.substring(1))
            .getBytes(UTF_8);
      }
    },
    NO_NUMBER(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return ("{\"n\":NaN," + good.substring(1)).getBytes(UTF_8);
      }
    },
    LONG_NUMBER(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return ("{\"n\":" + "9".repeat(10_000) + "," + good.substring(1)).getBytes(UTF_8);
      }
    },
    DEEP(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return ("{\"n\":" + "[".repeat(10_000) + "]".repeat(10_000) + "," + good.substring(1))
            .getBytes(UTF_8);
      }
    },
    PAGE(200, Map.of("Content-Type", "text/html")) {
      @Override
      byte[] told(String good) {
        return PAGE_CALLED_JSON.told(good);
      }
    },
    PAGE_CALLED_JSON(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return "<html><body>Sign in</body></html>".getBytes(UTF_8);
      }
    },
    NOTHING(204, Map.of()) {
      @Override
      byte[] told(String good) {
        return new byte[0];
      }
    },
    NOT_GZIP(200, Map.of("Content-Encoding", "gzip")) {
      @Override
      byte[] told(String good) {
        return good.getBytes(UTF_8);
      }
    },
    OTHER_CHARSET(200, Map.of("Content-Type", "application/json; charset=utf-8")) {
      @Override
      byte[] told(String good) {
        return good.getBytes(UTF_16);
      }
    },
    NULL(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return "null".getBytes(UTF_8);
      }
    },
    ERROR(200, Map.of()) {
      @Override
      byte[] told(String good) {
        return "{\"error\":{\"code\":\"internal\",\"message\":\"m\"}}".getBytes(UTF_8);
      }
    };

    private final int status;
    private final Map<String, String> headers;

    Lie(int status, Map<String, String> headers) {
      this.status = status;
      this.headers = headers;
    }

    abstract byte[] told(String good);
  }

  private static final AtomicInteger CALLS = new AtomicInteger();

  private static Vendor vendor;
  private static GatewayHost host;

  @BeforeAll
  static void open() {
    vendor = new Vendor();
    String base = vendor.base().toString();
    Map<String, String> settings = new HashMap<>();
    for (String upstream : List.of("cryptodata", "prediction", "websearch", "lookup")) {
      settings.put("gateway.upstream." + upstream + ".base-address", base);
    }
    settings.put("gateway.upstream.lookup.credential", "AC1:secret");
    settings.put("gateway.language.catalogue", ModelHost.catalogue());
    for (String mount : List.of("first", "second", "third", "fourth")) {
      settings.put("gateway.language.upstreams." + mount, base + "/" + mount);
    }
    settings.put("gateway.websearch.smart-model", "other-1.0");
    settings.put("gateway.images.upstreams.provider-a", base);
    settings.put("gateway.music.base-address", base);
    settings.put("gateway.venues.venue-b", "bourse");
    settings.put("gateway.limits.requests-per-minute.prediction", "1000");
    host = new GatewayHost(settings);
  }

  @AfterAll
  static void close() {
    host.close();
    vendor.close();
  }

  /** Without it the other tests would say nothing. */
  @ParameterizedTest
  @EnumSource(Call.class)
  void whatIsRightIsSold(Call call) {
    vendor.saysToAll(200, Map.of(), call.good.getBytes(UTF_8));
    PaidAnswer answer = host.paid(call.request(call.body));

    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
  }

  static Stream<Arguments> lies() {
    return Arrays.stream(Call.values())
        .flatMap(call -> Arrays.stream(Lie.values()).map(lie -> Arguments.of(call, lie)));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void whatIsToldWronglyIs502AndNotCharged(Call call, Lie lie) {
    vendor.saysToAll(lie.status, lie.headers, lie.told(call.good));
    refused(call, lie == Lie.ERROR && call == Call.IMAGE ? 400 : 502);
  }

  /** The members are there, and each is something else. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CRYPTO|{'data':'x'}",
        "CRYPTO|{'data':[{'value':'50','classification':'Neutral','timestamp':1}]}",
        "CRYPTO|{'data':[{'value':1e400,'classification':'Neutral','timestamp':1}]}",
        "PREDICTION|{'trades':'x'}",
        "PREDICTION|{'trades':[{'price':1e400,'timestamp':1}]}",
        "IDENTITIES|{'profiles':1}",
        "WEB_SEARCH|{'results':{'url':'https://a.example/'}}",
        "WEB_SEARCH|{'results':[{'url':7}]}",
        "WEB_ANSWER|{'answer':7,'citations':[]}",
        "WEB_ANSWER|{'answer':'A','citations':'x'}",
        "LOOKUP|{'valid':true,'line_type_intelligence':'x'}",
        "LOOKUP|{'valid':true,'line_type_intelligence':{'error_code':60600}}",
        "SMART_SEARCH|{'results':'x'}",
        "CHAT|{'choices':{}}",
        "CHAT|{'choices':[{'message':'x','finish_reason':'stop'}]}",
        "CHAT|{'choices':[{'index':0,'message':{'content':'a'},'finish_reason':'stop'},"
            + "{'index':0,'message':{'content':'b'},'finish_reason':'stop'}]}",
        "RESPONSES|{'output':'x','status':'completed'}",
        "RESPONSES|{'output':[{'type':'message','content':'x'}],'status':'completed'}",
        "MESSAGES|{'content':'x','stop_reason':'end_turn'}",
        "MESSAGES|{'type':'error','error':{'type':'api_error','message':'m'}}",
        "IMAGE|{'data':'x'}",
        "IMAGE|{'data':[{'b64_json':'AAAA'}]}",
        "MUSIC|{'data':{'audio':'49443320','status':2},'base_resp':{'status_code':'0'}}",
        "MUSIC|{'data':{'audio':7,'status':2},'base_resp':{'status_code':0}}",
        "MUSIC|{'data':{'audio':'49443320','status':2},'base_resp':{'status_code':1e400}}"
      })
  void membersOfOtherTypesAre502AndNotCharged(Call call, String said) {
    vendor.saysToAll(200, Map.of(), said.replace('\'', '"').getBytes(UTF_8));
    refused(call, 502);
  }

  static Stream<Arguments> noStreams() {
    return Stream.of(Call.CHAT, Call.RESPONSES, Call.MESSAGES)
        .flatMap(
            call ->
                Stream.of(
                        Lie.PAGE, Lie.PAGE_CALLED_JSON, Lie.NOTHING, Lie.NULL, Lie.DEEP, Lie.TWICE)
                    .map(lie -> Arguments.of(call, lie)));
  }

  /** A whole answer is none either, where a stream is asked for. */
  @ParameterizedTest
  @MethodSource("noStreams")
  void whatIsNoStreamIs502AndNotCharged(Call call, Lie lie) {
    vendor.saysToAll(lie.status, lie.headers, lie.told(call.good));
    refused(call, call.request(call.body.replaceFirst("}$", ",\"stream\":true}")), 502);
  }

  /** What the vendor says of tokens may be anything; the quote is the most that is charged. */
  @ParameterizedTest
  @CsvSource({"-1000000, -1000000", "9007199254740993, 9223372036854775807", "1e400, 1e400"})
  void noUsageCostsMoreThanTheQuoteOrLessThanNothing(String input, String output) {
    for (Call call : List.of(Call.CHAT, Call.RESPONSES, Call.MESSAGES)) {
      String said =
          call.good
              .replaceAll("(_tokens\":)10", "$1" + input)
              .replaceAll("(_tokens\":)20", "$1" + output);
      vendor.saysToAll(200, Map.of(), said.getBytes(UTF_8));
      PaidAnswer answer = host.paid(call.request(call.body));

      assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
      assertThat(Double.parseDouble(answer.headers().firstValue("X-Price-Amount").orElseThrow()))
          .isBetween(0.001, 0.1);
    }
  }

  /**
   * A path, the vendor's answer with {@code *} for what it says that it is about, what that may be,
   * and what it may not be. W and S are wallets, N and O phone numbers.
   */
  private static final String ABOUT =
      """
      cryptodata/exchange/price?pair=BTC-USDT | {'data':[{'exchange':'okx','pair':'*','last':1}]} | BTC/USDT | ETH/USDT
      cryptodata/exchange/price?pair=btc-usdt | {'data':[{'exchange':'okx','pair':'*','last':1}]} | BTC/USDT:USDT | BTC/USDC
      cryptodata/exchange/price?pair=BTC-USDT&exchange=okx | {'data':[{'exchange':'*','pair':'BTC/USDT','last':1}]} | OKX | bybit
      cryptodata/exchange/perp?pair=BTC-USDT | {'data':{'pair':'*'}} | BTC/USDT:USDT | ETH/USDT:USDT
      cryptodata/exchange/depth?pair=BTC-USDT | {'data':[{'pair':'*'}]} | BTC/USDT | ETH/USDT
      cryptodata/exchange/klines?pair=BTC-USDT | {'data':[{'pair':'*'}]} | BTC-USDT | ETH/USDT
      cryptodata/exchange/klines?pair=BTC-USDT&interval=1d | {'data':[{'interval':'*'}]} | 1d | 1h
      cryptodata/exchange/funding-history?pair=BTC-USDT | {'data':[{'pair':'*'}]} | BTC/USDT | ETH/USDT
      cryptodata/exchange/long-short-ratio?pair=BTC-USDT | {'data':[{'pair':'*'}]} | BTC/USDT | ETH/USDT
      cryptodata/market/etf?symbol=ETH | {'data':[{'symbol':'*'}]} | ETH | BTC
      cryptodata/market/options?symbol=ETH | {'data':[{'symbol':'*'}]} | ETH | BTC
      cryptodata/market/onchain-indicator?symbol=ETH | {'data':[{'symbol':'*'}]} | ETH | BTC
      cryptodata/market/onchain-indicator?symbol=ETH&metric=SOPR | {'data':[{'metric':'*'}]} | sopr | nvt
      cryptodata/market/price-indicator?symbol=ETH | {'data':[{'symbol':'*'}]} | ETH/USDT | BTC
      cryptodata/market/price-indicator?symbol=ETH&indicator=Bollinger | {'data':[{'name':'*'}]} | bbands | rsi
      cryptodata/onchain/gas-price?chain=base | {'data':{'chain':'*','gas_price':'1'}} | base | ethereum
      cryptodata/onchain/tx?hash=0xab | {'data':[{'hash':'*'}]} | 0xAB | 0xcd
      cryptodata/wallet/detail?address={W} | {'data':{'evm_balance':{'address':'*','total_usd':1}}} | {W} | {S}
      cryptodata/wallet/transfers?address={W} | {'data':[{'from_address':'{S}','to_address':'*'}]} | {W} | 0x1
      cryptodata/wallet/labels/batch?addresses={W},0x2 | {'data':[{'address':'0x2'},{'address':'*'}]} | {W} | 0x1
      cryptodata/social/tweets?ids=12,34 | {'data':[{'tweet_id':'*'}]} | 34 | 1234
      cryptodata/social/user?handle=@Ann | {'data':{'handle':'*'}} | ann | bob
      cryptodata/token/dex-trades?address={W} | {'data':[{'token_bought_address':'{S}','token_sold_address':'*'}]} | {W} | 0x1
      cryptodata/fund/detail?slug=f&id=7 | {'data':{'id':'*'}} | 7 | 8
      cryptodata/project/detail?slug=f&id=7 | {'data':{'overview':{'id':'*'}}} | 7 | 8
      cryptodata/news/detail?id=7 | {'data':{'id':'*'}} | 7 | 8
      cryptodata/prediction-market/venue-a/trades?ticker=0x1 | {'data':[{'condition_id':'*'}]} | 0x1 | 0x2
      cryptodata/prediction-market/venue-a/markets?market_slug=m | {'data':[{'market_slug':'*'}]} | m | n
      cryptodata/prediction-market/venue-b/markets?market_ticker=M | {'data':[{'market_ticker':'*'}]} | M | N
      cryptodata/prediction-market/venue-b/trades?ticker=M | {'data':[{'market_ticker':'*'}]} | M | N
      cryptodata/prediction-market/venue-b/ranking | {'data':[{'platform':'*'}]} | bourse | agora
      prediction/venue-a/markets?market_slug=m | {'markets':[{'condition_id':'0x1','title':'t','market_slug':'*'}]} | m | n
      prediction/venue-a/markets?event_slug=e | {'markets':[{'condition_id':'0x1','title':'t','event_slug':'*'}]} | e | f
      prediction/venue-a/market/0xab | {'markets':[{'condition_id':'*'}]} | 0xAB | 0xcd
      prediction/venue-a/events?slug=e | {'events':[{'id':'1','slug':'*'}]} | e | f
      prediction/venue-a/crypto-updown?asset=btc | {'markets':[{'condition_id':'0x1','title':'t','asset':'*'}]} | BTC | eth
      prediction/venue-a/candlesticks/0x1 | {'candlesticks':[],'condition_id':'*'} | 0x1 | 0x2
      prediction/venue-a/candlesticks/token/12 | {'candlesticks':[],'token_id':'*'} | 12 | 123
      prediction/venue-a/volume-chart/0x1 | {'data':[],'condition_id':'*'} | 0x1 | 0x2
      prediction/venue-a/volume-chart/0x2?granularity=week | {'data':[],'granularity':'*'} | week | hour
      prediction/venue-a/orderbooks?token_id=1&start_time=5&end_time=9 | {'snapshots':[{'timestamp':5000,'assetId':'*'}]} | 1 | 2
      prediction/venue-a/orderbooks?token_id=2&start_time=5&end_time=9 | {'snapshots':[{'timestamp':*}]} | 9000 | 9001
      prediction/venue-a/trades?condition_id=0x1 | {'trades':[{'price':1,'timestamp':1,'condition_id':'*'}]} | 0x1 | 0x2
      prediction/venue-a/trades?condition_id=0x2&start_time=5&end_time=9 | {'trades':[{'price':1,'timestamp':*}]} | 5 | 4
      prediction/wallet/history/{W} | {'trades':[{'price':1,'timestamp':1,'user':'{S}','taker':'*'}]} | {W} | 0x1
      prediction/venue-a/activity?wallet={W} | {'activities':[{'timestamp':1,'user':'*'}]} | {W} | {S}
      prediction/venue-a/markets/12/volume | {'volume_over_time':[],'token_id':'*'} | 12 | 13
      prediction/venue-a/markets/0x1/open_interest | {'open_interest_over_time':[],'condition_id':'*'} | 0x1 | 0x2
      prediction/venue-a/positions?wallet={W} | {'positions':[{'market':{},'position':{},'user':'*'}]} | {W} | {S}
      prediction/venue-a/leaderboard/market/0x1 | {'entries':[],'condition_id':'*'} | 0x1 | 0x2
      prediction/venue-a/cohorts/stats?window=7d | {'cohorts':[],'window':'*'} | 7d | 1d
      prediction/venue-a/market/0x1/top-holders | {'entries':[],'condition_id':'*'} | 0x1 | 0x2
      prediction/venue-a/market/0x1/smart-money?min_volume=10000&min_trades=100 | {'positioning':{'condition_id':'*'}} | 0x1 | 0x2
      prediction/venue-a/wallet/{W}/markets | {'markets':[],'user':'*'} | {W} | {S}
      prediction/venue-a/wallet/{W}/similar | {'similar_wallets':[],'target_wallet':'*'} | {W} | {S}
      prediction/venue-a/wallet/{W}/cluster | {'siblings':[],'seed':'*'} | {W} | {S}
      prediction/venue-a/wallet/pnl/{W} | {'pnl_over_time':[],'wallet_address':'*'} | {W} | {S}
      prediction/venue-a/wallet/positions/{W} | {'positions':[],'wallet_address':'*'} | {W} | {S}
      prediction/venue-a/wallet/positions/{W}?condition_id=0x1 | {'positions':[{'position':{},'market':{'condition_id':'*'}}]} | 0x1 | 0x2
      prediction/venue-a/wallet/volume-chart/{W} | {'data':[],'wallet_address':'*'} | {W} | {S}
      prediction/venue-a/wallet/identity/{W} | {'address':'*','profile':{'type':'proxy'}} | {W} | {S}
      prediction/venue-a/oracle/markets?state=disputed | {'items':[],'state':'*'} | disputed | pending
      prediction/venue-a/oracle/market/0x1 | {'question':{},'condition_id':'*'} | 0x1 | 0x2
      prediction/sports/markets/g | {'game_id':'*'} | g | h
      prediction/sports/outcomes/p | {'predexon_id':'*'} | p | q
      prediction/outcomes/p | {'predexon_id':'*'} | p | q
      prediction/matching-markets?venue_a_condition_id=0x1 | {'matches':{},'query':{'condition_id':'*'}} | 0x1 | 0x2
      prediction/venue-b/market/M | {'markets':[{'ticker':'*'}]} | M | N
      prediction/venue-b/trades?ticker=M | {'trades':[{'yes_price':1,'ticker':'*'}]} | M | N
      prediction/venue-b/orderbooks?ticker=M&start_time=5&end_time=9 | {'snapshots':[{'timestamp':5000,'ticker':'*'}]} | M | N
      prediction/exchange-a/candles/BTCUSDT | {'candles':[],'symbol':'*'} | btcusdt | ETHUSDT
      prediction/exchange-a/ticks/BTCUSDT?start_time=5&end_time=9 | {'ticks':[],'symbol':'*'} | BTCUSDT | ETHUSDT
      prediction/venue-c/trades?wallet={S} | {'trades':[{'signature':'s','owner_wallet':'*'}]} | {S} | {W}
      prediction/venue-c/wallet/positions/{S} | {'positions':[],'wallet':'*'} | {S} | {W}
      prediction/venue-c/wallet/pnl/{S} | {'pnl_over_time':[],'wallet_address':'*'} | {S} | {W}
      prediction/venue-d/market/m | {'markets':[{'title':'t','market_slug':'*'}]} | m | n
      prediction/venue-d/orderbooks?market_slug=m&start_time=5&end_time=9 | {'snapshots':[{'timestamp':5000,'market_slug':'*'}]} | m | n
      prediction/venue-e/market/7 | {'markets':[{'title':'t','market_id':*}]} | 7 | 8
      prediction/venue-f/orderbooks?market_id=7&start_time=5&end_time=9 | {'snapshots':[{'timestamp':5000,'market_id':*}]} | 7 | 8
      prediction/venue-a/wallet/identities {'addresses':['{W}']} | {'profiles':{'*':{'type':'proxy'}}} | {W} | {S}
      phone/lookup {'phoneNumber':'{N}'} | {'phone_number':'*','valid':true,'line_type_intelligence':{'type':'mobile'}} | {N} | {O}
      phone/lookup {'phoneNumber':'{N}'} | {'phone_number':'*','valid':true,'line_type_intelligence':{'type':'mobile'}} | (415) 555-2671 | (415) 555-2672
      phone/lookup/fraud {'phoneNumber':'{N}'} | {'phone_number':'*','valid':true,'call_forwarding':{'call_forwarding_enabled':true}} | {N} | {O}
      """;

  static Stream<Arguments> about() {
    return ABOUT
        .replace('\'', '"')
        .replace("{W}", "0xd8da6bf26964af9d7eed9e03e53415d37aa96045")
        .replace("{S}", "7Xz8f3Qm2KpR1vT9uYwLcB4dNhS6eJgA5oMkFiZtVxWq")
        .replace("{N}", "+14155552671")
        .replace("{O}", "+14155552672")
        .lines()
        .map(line -> Arguments.of((Object[]) line.split(" \\| ")));
  }

  /** The other one first: what is sold is remembered. */
  @ParameterizedTest
  @MethodSource("about")
  void anAnswerAboutSomethingElseIs502AndNotCharged(
      String asked, String answer, String told, String other) {
    String[] words = asked.split(" ", 2);
    HttpRequest.Builder request = host.http().request("/v1/marketplace/" + words[0]);
    if (words.length > 1) {
      request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(words[1]));
    }
    vendor.saysToAll(200, Map.of(), answer.replace("*", other).getBytes(UTF_8));
    refused(Call.LOOKUP, request.build(), 502);

    vendor.saysToAll(200, Map.of(), answer.replace("*", told).getBytes(UTF_8));
    PaidAnswer sold = host.paid(request.build());
    assertThat(sold.status()).as(GatewayHost.text(sold)).isEqualTo(200);
    assertThat(sold.receipt()).isNotNull();
  }

  private static void refused(Call call, int status) {
    refused(call, call.request(call.body), status);
  }

  private static void refused(Call call, HttpRequest request, int status) {
    PaidAnswer answer = host.paid(request);
    String text = GatewayHost.text(answer);

    assertThat(answer.status()).as(text).isEqualTo(status);
    assertThat(answer.receipt()).isNull();
    JsonNode error = Objects.requireNonNull(Admin.json(text)).path("error");
    assertThat(error.path("code").asText("")).as(text).isNotEmpty();
    assertThat(error.path("message").asText("")).as(text).isNotEmpty();
    assertThat(error.has("type")).as(text).isEqualTo(call.hasTypes());
    assertThat(text).doesNotContain("127.0.0.1", "Exception", "secret");
  }
}
