package dev.octroi.services.language;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:language.pass_through")
class BodyEditTest {

  @Test
  void onlyTheMemberChanges() {
    String body =
        "\n{ \"x\" : 1.50e0 , \"model\" :\t\"a\\u0062\" ,\"n\": {\"model\":\"inner\"},\"é\":[ ] }\n";

    assertThat(set(body))
        .isEqualTo(
            "\n{ \"x\" : 1.50e0 , \"model\" :\t\"new\" ,\"n\": {\"model\":\"inner\"},\"é\":[ ] }\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"model\":12}|{\"model\":\"new\"}",
        "{\"model\":-1.5e3 }|{\"model\":\"new\" }",
        "{\"model\":true,\"a\":1}|{\"model\":\"new\",\"a\":1}",
        "{\"model\":null}|{\"model\":\"new\"}",
        "{\"model\":[1,{\"b\":2}],\"a\":1}|{\"model\":\"new\",\"a\":1}",
        "{\"model\":{\"b\":\"}\"}}|{\"model\":\"new\"}",
        "{\"a\":\"👋\",\"model\":\"ü\"}|{\"a\":\"👋\",\"model\":\"new\"}",
        "{}|{\"model\":\"new\"}",
        "{ }|{ \"model\":\"new\"}",
        "{\"a\":1}|{\"a\":1,\"model\":\"new\"}",
        "{\"a\":1 }|{\"a\":1 ,\"model\":\"new\"}",
      })
  void everyKindOfValueIsReplacedAndAMissingOneIsAdded(String body, String edited) {
    assertThat(set(body)).isEqualTo(edited);
  }

  @Test
  void severalMembersAreSetAtOnce() {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    members.put("store", BooleanNode.FALSE);
    members.put("model", TextNode.valueOf("new"));

    byte[] edited =
        BodyEdit.set("{\"model\":\"a\",\"b\":2,\"store\":true}".getBytes(UTF_8), members);

    assertThat(new String(edited, UTF_8)).isEqualTo("{\"model\":\"new\",\"b\":2,\"store\":false}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "\"model\"",
        "{\"model\":\"a\"",
        "{\"model\":\"a\"}{}",
        "{\"model\":\"a\",\"model\":\"b\"}",
        "{\"model\":\"a\",\"mod\\u0065l\":\"b\"}",
      })
  void whatIsNoObjectOrNamesAMemberTwiceIsRefused(String body) {
    assertThatThrownBy(() -> set(body)).isInstanceOf(InvalidPrompt.class);
  }

  @Test
  void anotherEncodingIsRefused() {
    assertThatThrownBy(() -> BodyEdit.set("{\"model\":\"a\"}".getBytes(UTF_16), Map.of()))
        .isInstanceOf(InvalidPrompt.class);
  }

  @Test
  void aBodyThatIsTooDeepIsRefused() {
    String deep = "{\"a\":" + "[".repeat(PromptLimits.DEPTH) + "]".repeat(PromptLimits.DEPTH) + "}";

    assertThatThrownBy(() -> set(deep)).isInstanceOf(InvalidPrompt.class);
  }

  private static String set(String body) {
    byte[] edited = BodyEdit.set(body.getBytes(UTF_8), Map.of("model", TextNode.valueOf("new")));
    return new String(edited, UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':1,'b':2,'c':3} | a | {'b':2,'c':3}",
        "{'a':1,'b':2,'c':3} | b | {'a':1,'c':3}",
        "{'a':1,'b':2,'c':3} | c | {'a':1,'b':2}",
        "{'a':1,'b':2,'c':3} | a b | {'c':3}",
        "{'a':1,'b':2,'c':3} | b c | {'a':1}",
        "{'a':1,'b':2,'c':3} | a c | {'b':2}",
        "{'a':1,'b':2,'c':3} | a b c | {}",
        "{ 'a' : [1, {'b':2}] , 'b' : 2.50 } | a | { 'b' : 2.50 }",
        "{'a':1} | z | {'a':1}",
      })
  void membersAreDroppedAndTheOthersKeepTheirBytes(String body, String dropped, String left) {
    byte[] edited = BodyEdit.edit(Json.bytes(body), Map.of(), Set.of(dropped.split(" ")));

    assertThat(new String(edited, UTF_8)).isEqualTo(left.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource({"a, {'b':2;'n':9}", "b, {'a':1;'n':9}", "a b, {'n':9}"})
  void whatIsAddedFollowsWhatIsLeft(String dropped, String left) {
    byte[] edited =
        BodyEdit.edit(
            Json.bytes("{'a':1,'b':2}"),
            Map.of("n", IntNode.valueOf(9)),
            Set.of(dropped.split(" ")));

    assertThat(new String(edited, UTF_8)).isEqualTo(left.replace('\'', '"').replace(';', ','));
  }
}
