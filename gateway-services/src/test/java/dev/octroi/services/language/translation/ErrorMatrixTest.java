package dev.octroi.services.language.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Json;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors from every protocol into every protocol. */
@Tag("spec:language.translation.errors")
class ErrorMatrixTest {

  static Stream<Arguments> pairs() {
    return StreamTranslationTest.pairs();
  }

  static Stream<Arguments> pairsAndKinds() {
    return pairs()
        .flatMap(
            pair ->
                Stream.of(Problem.Kind.values())
                    .map(kind -> Arguments.of(pair.get()[0], pair.get()[1], kind)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aFaultInThePromptIsToldInTheVendorsWords(Dialect from, Dialect to) {
    Translation translation = new Translation(to, from);
    byte[] vendors =
        Json.bytes(
            from == Dialect.MESSAGES
                ? "{'type':'error','error':{'type':'invalid_request_error','message':'too long'}}"
                : "{'error':{'message':'too long','type':'invalid_request_error','code':null}}");

    Problem problem = translation.problem(400, vendors).forPayer();
    JsonNode told = Json.tree(translation.error(problem));

    assertThat(problem.status()).isEqualTo(400);
    assertThat(told.path("error").path("message").asText()).isEqualTo("too long");
    assertThat(told.path("error").path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(told.path("type").asText()).isEqualTo(to == Dialect.MESSAGES ? "error" : "");
  }

  @ParameterizedTest
  @MethodSource("pairsAndKinds")
  void whatIsNotThePayersFaultIsToldWithoutTheVendorsWords(
      Dialect from, Dialect to, Problem.Kind kind) {
    Translation translation = new Translation(to, from);
    Problem vendors = new Problem(kind, kind.status(), "key sk-inside", null, null);
    byte[] body = Protocols.of(from).writeError(vendors);

    Problem problem = translation.problem(kind.status(), body).forPayer();
    String told = new String(translation.error(problem), UTF_8);

    boolean payers = kind == Problem.Kind.INVALID_REQUEST || kind == Problem.Kind.TOO_LARGE;
    assertThat(told.contains("sk-inside")).isEqualTo(payers);
    assertThat(problem.status() < 500).isEqualTo(payers);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aBodyThatIsNoErrorIsAFailureOfTheUpstream(Dialect from, Dialect to) {
    Translation translation = new Translation(to, from);

    Problem problem = translation.problem(500, "<html>".getBytes(UTF_8)).forPayer();

    assertThat(problem.status()).isEqualTo(502);
    assertThat(problem.message()).isEqualTo("The upstream failed");
  }

  /** Compatible hosts wrap the body in a list, or write the message in place of the object. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'error':{'code':400,'message':'Unknown name','status':'INVALID_ARGUMENT'}}] | Unknown name",
        "{'code':'invalid-argument','error':'Argument not supported: stop'} | Argument not supported: stop"
      })
  void aFaultIsReadInTheFormsOfCompatibleHosts(String body, String message) {
    Translation translation = new Translation(Dialect.MESSAGES, Dialect.CHAT);

    Problem problem = translation.problem(400, Json.bytes(body)).forPayer();

    assertThat(problem.message()).isEqualTo(message);
    assertThat(Json.tree(translation.error(problem)).at("/error/message").asText())
        .isEqualTo(message);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void theCodeStandsWhereTheVendorsSdkReadsIt(Dialect dialect) {
    JsonNode error =
        Json.tree(Protocols.of(dialect).writeError(Problem.of(503, "Not now", "a_code")))
            .path("error");

    assertThat(error.path("code").asText()).isEqualTo("a_code");
    assertThat(error.at("/details/error_code").asText())
        .isEqualTo(dialect == Dialect.MESSAGES ? "a_code" : "");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void anAnswerThatIsNoneIsAFailureOfTheUpstream(Dialect dialect) {
    for (String rubbish :
        new String[] {
          "",
          "{}",
          "[]",
          "{\"choices\":[]}",
          "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}",
          "{\"status\":\"failed\",\"output\":[]}",
          "{\"status\":\"cancelled\",\"output\":[]}",
          "{\"status\":\"queued\",\"output\":[]}",
          "{\"status\":\"in_progress\",\"output\":[]}"
        }) {
      assertThatThrownBy(() -> Protocols.of(dialect).readReply(rubbish.getBytes(UTF_8)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:error.shape.messages")
  void aFaultyPromptIsToldInTheCallersShape(Dialect dialect) {
    Problem fault = new InvalidPrompt("messages[0].role", "messages[0].role is odd").problem();

    JsonNode error = Json.tree(Protocols.of(dialect).writeError(fault)).path("error");

    assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(error.path("code").asText()).isEqualTo("invalid_params");
    assertThat(error.path("message").asText()).contains("messages[0].role");
  }
}
