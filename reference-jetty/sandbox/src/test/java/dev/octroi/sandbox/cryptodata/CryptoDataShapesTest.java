package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every path of the vendor answers in the vendor's shape. */
class CryptoDataShapesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final VendorServer SERVER = new VendorServer();

  private static final Map<String, JsonNode> SHAPES =
      Table.lines("shapes.jsonl").stream()
          .map(CryptoDataShapesTest::parse)
          .collect(
              Collectors.toMap(line -> line.path("path").asText(), line -> line.path("shape")));

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  static Stream<String> examples() {
    return Table.lines("examples.txt").stream().map(Wire::word);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void thePathAnswersInTheVendorsShape(String example) throws Exception {
    VendorServer.Reply reply = SERVER.get(example);

    assertThat(reply.status()).as(reply.json().toString()).isEqualTo(200);
    assertThat(reply.data().isEmpty()).as("data is empty").isFalse();
    JsonNode shape = SHAPES.get(path(example));
    if (shape != null) {
      assertSameFields(shape, reply.json(), path(example));
    }
  }

  @Test
  void everyReadOfTheContractIsAnsweredAndHasAnExample() {
    Set<String> examples =
        examples().map(example -> "GET " + path(example)).collect(Collectors.toSet());
    examples.addAll(Set.of("POST /onchain/sql", "POST /onchain/query"));

    assertThat(SERVER.vendor.reads())
        .isEqualTo(CryptoDataVendor.CONTRACT.operations())
        .isEqualTo(examples);
    assertThat(SERVER.vendor.reads()).hasSize(82);
  }

  @Test
  void theSameCallAtTheSameTimeHasTheSameAnswer() throws Exception {
    for (String example : examples().toList()) {
      String first = SERVER.get(example).json().toString();
      String second = SERVER.get(example).json().toString();
      assertThat(second).as(example).isEqualTo(first);
    }
  }

  private static String path(String example) {
    return example.replaceFirst("\\?.*", "");
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  /** Objects have the same names; of lists the first elements are compared; null stands for any. */
  private static void assertSameFields(JsonNode shape, JsonNode actual, String where) {
    if (shape.isObject() && !actual.isNull()) {
      if (shape.has("key")) {
        return;
      }
      assertThat(names(actual)).as(where).isEqualTo(names(shape));
      shape
          .properties()
          .forEach(
              field ->
                  assertSameFields(
                      field.getValue(), actual.get(field.getKey()), where + "." + field.getKey()));
    } else if (shape.isArray() && !actual.isEmpty()) {
      assertThat(actual.isArray()).as(where).isTrue();
      if (!shape.isEmpty()) {
        assertSameFields(shape.get(0), actual.get(0), where + "[0]");
      }
    }
  }

  private static Set<String> names(JsonNode node) {
    Set<String> names = new TreeSet<>();
    node.fieldNames().forEachRemaining(names::add);
    names.removeAll(Set.of("empty_reason", "total"));
    return names;
  }
}
