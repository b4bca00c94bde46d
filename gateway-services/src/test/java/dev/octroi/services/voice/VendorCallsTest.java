package dev.octroi.services.voice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.WireServer;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import dev.octroi.services.voice.VoiceCalls.Placed;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VendorCallsTest {

  private static final CallOrder ORDER =
      new CallOrder(
          "+14155550100",
          "+14155550123",
          "Ask for the opening hours",
          "nat",
          5,
          Optional.of("Good day"),
          true,
          Optional.of(URI.create("https://gateway.example/v1/webhooks/voice")));
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");

  private final List<UpstreamClient> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(UpstreamClient::close);
  }

  @Test
  void aCallIsPlacedAsTheVendorWantsIt() throws IOException {
    String said = "{\"status\":\"success\",\"call_id\":\"c-1\",\"batch_id\":null}";
    try (WireServer server = WireServer.saying(said)) {
      assertThat(calls(server).start(ORDER, "k-1", soon())).isEqualTo(new Placed.Done("c-1"));
      WireServer.Request request = server.requests().get(0);
      assertThat(request.method() + " " + request.target()).isEqualTo("POST /base/v1/calls");
      assertThat(request.headers())
          .containsEntry("authorization", "secret")
          .containsEntry("encrypted_key", "carrier-key");
      assertThat(request.body())
          .isEqualTo(
              "{\"phone_number\":\"+14155550123\",\"from\":\"+14155550100\",\"task\":\"Ask for the"
                  + " opening hours\",\"voice\":\"nat\",\"language\":\"babel-en\","
                  + "\"max_duration\":5,\"record\":true,\"wait_for_greeting\":true,"
                  + "\"first_sentence\":\"Good day\",\"webhook\":\"https://gateway.example/v1/"
                  + "webhooks/voice\",\"metadata\":{\"gateway_key\":\"k-1\"}}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"status":"error","message":"no"}                             | CALL
          200 | {"status":"error","message":"no","call_id":"c"}               | CALL
          400 | {"status":"error","errors":["Invalid phone_number"]}          | NUMBER
          422 | {"status":"error","message":"Not in E.164 format"}            | NUMBER
          200 | {"status":"error","message":"Destination is not allowed"}     | CALL
          400 | {"status":"error","errors":["from is not a number of yours"]} | ACCOUNT
          400 | {"status":"error","message":"Invalid encrypted_key"}          | ACCOUNT
          400 | {"status":"error","errors":["voice"]}                         | CALL
          401 | {}                                                            | ACCOUNT
          402 | {"message":"Insufficient balance"}                            | ACCOUNT
          429 | {"message":"phone_number was called too often"}               | BUSY
          """)
  void whatIsRefusedSaysWhy(int status, String body, VendorRefusal why) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, body))) {
      assertThat(calls(server).start(ORDER, "k-1", soon())).isEqualTo(new Placed.Refused(why));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          409 | {"status":"error","message":"under way"}
          499 | {}
          408 | {}
          500 | {"status":"error","message":"broken"}
          503 | {}
          200 | {"status":"success"}
          200 | []
          200 | nonsense
          """)
  void whatCannotBeKnownIsUnknown(int status, String body) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, body))) {
      assertThat(calls(server).start(ORDER, "k-1", soon())).isEqualTo(new Placed.Unknown());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aStartWhoseAnswerIsCutOffIsUnknownAndNotRepeated() throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.cut())) {
      assertThat(calls(server).start(ORDER, "k-1", soon())).isEqualTo(new Placed.Unknown());
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aVendorThatCannotBeReachedPlacedNothing() throws IOException {
    UpstreamSettings gone;
    try (WireServer server = WireServer.saying("{}")) {
      gone = server.settings();
    }
    try (UpstreamClient client = new UpstreamClient(gone)) {
      assertThat(new VendorCalls(client, "k").start(ORDER, "k-1", soon()))
          .isEqualTo(new Placed.Refused(VendorRefusal.BUSY));
    }
  }

  /** What strangers said in another call is told to no one. */
  @Test
  void theRecordOfAnotherCallIsNone() throws IOException {
    try (WireServer server =
        WireServer.saying("{\"call_id\":\"c-9\",\"concatenated_transcript\":\"user: My PIN\"}")) {
      VoiceCalls calls = calls(server);
      assertThatThrownBy(() -> calls.read("c-1", soon()))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @Test
  void aCallIsReadAndAnUnknownOneIsNone() throws IOException {
    String call =
        "{\"call_id\":\"c-1\",\"queue_status\":\"complete\",\"status\":\"completed\","
            + "\"completed\":true,\"call_length\":0.75,\"answered_by\":\"human\","
            + "\"recording_url\":\"https://r.example/1\",\"concatenated_transcript\":\"user: Hi\"}";
    try (WireServer server =
        WireServer.start(
            (request, wire) -> {
              if (request.target().endsWith("/c-1")) {
                wire.json(200, call);
              } else if (request.target().endsWith("/c-2")) {
                wire.json(200, "{\"status\":\"error\",\"message\":\"Call not found\"}");
              } else {
                wire.json(404, "{\"data\":null,\"errors\":[{\"error\":\"NOT_FOUND\"}]}");
              }
            })) {
      CallReport report = calls(server).read("c-1", soon()).orElseThrow();
      assertThat(report.status()).isEqualTo(CallStatus.COMPLETED);
      assertThat(report.minutes()).hasValueSatisfying(m -> assertThat(m).hasToString("0.75"));
      assertThat(report.answeredBy()).contains("human");
      assertThat(report.recording()).contains("https://r.example/1");
      assertThat(report.transcript()).contains("user: Hi");
      assertThat(calls(server).read("c-2", soon())).isEmpty();
      assertThat(calls(server).read("../c 3", soon())).isEmpty();
      assertThat(server.requests().get(2).target()).isEqualTo("/base/v1/calls/..%2Fc+3");
    }
  }

  @Test
  void theVendorsTroublesAreNoAnswer() throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(500, "{}"))) {
      assertThatThrownBy(() -> calls(server).read("c-1", soon())).isInstanceOf(Failure.class);
      assertThatThrownBy(() -> calls(server).stop("c-1", soon())).isInstanceOf(Failure.class);
      assertThatThrownBy(() -> calls(server).find(ORDER, "k", SINCE, soon()))
          .isInstanceOf(Failure.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"status":"success","message":"Call ended."}     | true
          200 | {"status":"error","message":"not active"}        | false
          400 | {"status":"error","message":"not active"}        | false
          404 | {}                                               | false
          """)
  void aCallThatIsOverIsNotEndedAgain(int status, String body, boolean ended) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, body))) {
      assertThat(calls(server).stop("c-1", soon())).isEqualTo(ended);
      assertThat(server.requests().get(0).target()).isEqualTo("/base/v1/calls/c-1/stop");
    }
  }

  @Test
  @Tag("spec:endpoint.voice.transfer")
  void aCallIsHandedOver() throws IOException {
    String said = "{\"data\":{\"message\":\"transferred\"},\"errors\":null}";
    try (WireServer server = WireServer.saying(said)) {
      assertThat(calls(server).transfer("c-1", "+14155550199", soon()))
          .isEqualTo(new Placed.Done("c-1"));
      assertThat(server.requests().get(0).body())
          .isEqualTo("{\"call_id\":\"c-1\",\"transfer_number\":\"+14155550199\"}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"data":null,"errors":[{"message":"The call is not active"}]}  | CALL_NOT_ACTIVE
          404 | {"data":null,"errors":[{"message":"Call not found"}]}          | CALL_NOT_ACTIVE
          400 | {"data":null,"errors":[{"message":"Bad transfer_number"}]}     | NUMBER
          200 | {"data":null,"errors":[{"message":"no"}]}                      | CALL
          """)
  void aRefusedHandoverSaysWhyInAnAnswerOf200Too(int status, String body, VendorRefusal why)
      throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, body))) {
      assertThat(calls(server).transfer("c-1", "+14155550199", soon()))
          .isEqualTo(new Placed.Refused(why));
      assertThat(server.requests().get(0).headers()).doesNotContainKey("encrypted_key");
    }
  }

  @Test
  @Tag("money:6")
  void aCallWhoseAnswerWasLostIsFoundByItsKey() throws IOException {
    String list =
        "{\"count\":3,\"calls\":[{\"call_id\":\"late\",\"created_at\":\"2026-11-21T12:01:00Z\"},"
            + "{\"call_id\":\"mine\",\"created_at\":\"2026-11-21T12:00:30+00:00\"},"
            + "{\"call_id\":\"old\",\"created_at\":\"2026-11-21T11:00:00Z\"}]}";
    try (WireServer server =
        WireServer.start(
            (request, wire) -> {
              String target = request.target();
              String id = target.substring(target.lastIndexOf('/') + 1);
              String key = id.equals("late") ? "k-2" : "k-1";
              wire.json(
                  200,
                  target.contains("?")
                      ? list
                      : "{\"call_id\":\""
                          + id
                          + "\",\"metadata\":{\"gateway_key\":\""
                          + key
                          + "\"}}");
            })) {
      assertThat(calls(server).find(ORDER, "k-1", SINCE, soon())).contains("mine");
      assertThat(server.requests().get(0).target())
          .isEqualTo(
              "/base/v1/calls?from_number=%2B14155550100&to_number=%2B14155550123"
                  + "&start_date=2026-11-21&limit=50");
      assertThat(calls(server).find(ORDER, "k-9", SINCE, soon())).isEmpty();
      assertThat(server.requests()).noneMatch(request -> request.target().endsWith("/old"));
    }
  }

  /** What is listed and cannot be read may be the call that was placed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | {"status":"error","message":"Too many requests"}
          429 | {"data":null,"errors":[{"message":"Rate limit"}]}
          404 | {"status":"error","message":"Call not found"}
          200 | {"status":"error","message":"Try again"}
          200 | {}
          """)
  @Tag("money:6")
  void aListedCallWhoseRecordCannotBeReadIsNotOutOfTheQuestion(int status, String body)
      throws IOException {
    String list = "{\"calls\":[{\"call_id\":\"c-1\",\"created_at\":\"2026-11-21T12:01:00Z\"}]}";
    try (WireServer server =
        WireServer.start(
            (request, wire) -> {
              boolean listed = request.target().contains("?");
              wire.json(listed ? 200 : status, listed ? list : body);
            })) {
      assertThatThrownBy(() -> calls(server).find(ORDER, "k-1", SINCE, soon()))
          .isInstanceOf(Failure.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | {"status":"error","message":"Too many requests"}
          401 | {"status":"error","message":"Invalid API key"}
          403 | {"status":"error","message":"The organization is suspended"}
          404 | {}
          404 | {"message":"no Route matched with those values"}
          404 | <html>Not Found</html>
          200 | <html>Please log in</html>
          """)
  void whatIsNotTheVendorsWordOnACallDoesNotSayThatThereIsNone(int status, String said)
      throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, said))) {
      assertThatThrownBy(() -> calls(server).read("c-1", soon())).isInstanceOf(Failure.class);
    }
  }

  private VoiceCalls calls(WireServer server) {
    Credential key = Credential.header("authorization", "secret");
    UpstreamClient client = new UpstreamClient(server.settings().with(key).withRetries(0));
    clients.add(client);
    return new VendorCalls(client, "carrier-key");
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(10));
  }
}
