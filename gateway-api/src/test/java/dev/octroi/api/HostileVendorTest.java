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
        return "<html><body>Sign in</body></html>".getBytes(UTF_8);
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
