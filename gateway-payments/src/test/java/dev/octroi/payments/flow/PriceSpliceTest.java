package dev.octroi.payments.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PriceSpliceTest {

  private static final Usd PRICE = Usd.parse("0.0095");
  private static final String MEMBER = "\"price\":{\"amount\":\"0.009500\",\"currency\":\"USD\"}";

  private final ObjectMapper json = new ObjectMapper();

  @Property(tries = 300)
  void anyObjectKeepsItsBytesAndGetsItsPrice(@ForAll("objects") String object) throws IOException {
    byte[] before = object.getBytes(StandardCharsets.UTF_8);

    byte[] after = PriceSplice.into(before, PRICE);

    int brace = object.lastIndexOf('}');
    int kept = object.substring(0, brace).getBytes(StandardCharsets.UTF_8).length;
    JsonNode was = json.readTree(before);
    JsonNode is = json.readTree(after);
    if (was.has("price")) {
      assertThat(after).isSameAs(before);
    } else {
      assertThat(Arrays.copyOf(after, kept)).isEqualTo(Arrays.copyOf(before, kept));
      assertThat(is.at("/price/amount").textValue()).isEqualTo("0.009500");
      assertThat(is.size()).isEqualTo(was.size() + 1);
    }
  }

  @Property(tries = 300)
  void whateverIsNoObjectStaysTheSameArray(@ForAll("values") String value) {
    byte[] before = value.getBytes(StandardCharsets.UTF_8);

    if (!value.strip().startsWith("{")) {
      assertThat(PriceSplice.into(before, PRICE)).isSameAs(before);
    }
  }

  @Example
  void anEmptyObjectGetsItWithoutAComma() {
    assertThat(spliced("{}")).isEqualTo("{" + MEMBER + "}");
    assertThat(spliced(" { \n } \r\n")).isEqualTo(" { \n " + MEMBER + "} \r\n");
  }

  @Example
  void aTopLevelPriceIsKeptAndANestedOneDoesNotCount() {
    assertThat(spliced("{\"price\" : 1}")).isEqualTo("{\"price\" : 1}");
    assertThat(spliced("{\"a\":[{}],\"price\":1}")).isEqualTo("{\"a\":[{}],\"price\":1}");
    assertThat(spliced("{\"a\":{\"price\":1}}")).isEqualTo("{\"a\":{\"price\":1}," + MEMBER + "}");
    assertThat(spliced("{\"a\":\"price\"}")).isEqualTo("{\"a\":\"price\"," + MEMBER + "}");
    assertThat(spliced("{\"a\":\"\\\"price\\\":\"}"))
        .isEqualTo("{\"a\":\"\\\"price\\\":\"," + MEMBER + "}");
  }

  @Example
  void textThatIsNoJsonStays() {
    for (String text : new String[] {"", " ", "{", "}", "}{", "null", "[{}]", "{\"a\":1} x"}) {
      assertThat(spliced(text)).isEqualTo(text);
    }
  }

  @Provide
  Arbitrary<String> values() {
    return value(3);
  }

  @Provide
  Arbitrary<String> objects() {
    return Combinators.combine(blank(), object(3), blank())
        .as((before, object, after) -> before + object + after);
  }

  private Arbitrary<String> value(int depth) {
    Arbitrary<String> scalar =
        Arbitraries.oneOf(
            Arbitraries.of("null", "true", "0", "-1.50", "1e400", "12345678901234567890"), text());
    return depth == 0 ? scalar : Arbitraries.oneOf(scalar, array(depth - 1), object(depth - 1));
  }

  private Arbitrary<String> array(int depth) {
    return value(depth).list().ofMaxSize(3).map(values -> "[" + String.join(" ,", values) + "]");
  }

  private Arbitrary<String> object(int depth) {
    Arbitrary<Map<String, String>> members = Arbitraries.maps(name(), value(depth)).ofMaxSize(4);
    return Combinators.combine(members, blank())
        .as(
            (map, space) ->
                map.entrySet().stream()
                    .map(member -> member.getKey() + space + ":" + space + member.getValue())
                    .collect(
                        java.util.stream.Collectors.joining(
                            "," + space, "{" + space, space + "}")));
  }

  private Arbitrary<String> name() {
    return Arbitraries.oneOf(Arbitraries.of("\"price\"", "\"prices\"", "\"a\""), text());
  }

  private Arbitrary<String> text() {
    return Arbitraries.strings()
        .withChars('a', '"', '\\', '{', '}', ':', ',', 'é', '\uD83D')
        .ofMaxLength(6)
        .map(this::quoted);
  }

  private Arbitrary<String> blank() {
    return Arbitraries.strings().withChars(' ', '\n', '\t', '\r').ofMaxLength(2);
  }

  private String quoted(String text) {
    try {
      return json.writeValueAsString(text.replace("\uD83D", "\uD83D\uDE00"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String spliced(String text) {
    return new String(
        PriceSplice.into(text.getBytes(StandardCharsets.UTF_8), PRICE), StandardCharsets.UTF_8);
  }
}
