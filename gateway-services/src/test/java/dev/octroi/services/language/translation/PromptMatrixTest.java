package dev.octroi.services.language.translation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Format;
import dev.octroi.services.language.Prompt.Labels;
import dev.octroi.services.language.Prompt.Output;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Prompt.Role;
import dev.octroi.services.language.Prompt.Sampling;
import dev.octroi.services.language.Prompt.Source;
import dev.octroi.services.language.Prompt.Streaming;
import dev.octroi.services.language.Prompt.Tool;
import dev.octroi.services.language.Prompt.ToolChoice;
import dev.octroi.services.language.Prompt.Tooling;
import dev.octroi.services.language.Prompt.Turn;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every prompt through every pair of protocols: what both can say arrives as it was said. */
@Tag("spec:language.translation.matrix")
class PromptMatrixTest {

  private static final Target TARGET = new Target("some-model", 1_024, Set.of());
  private static final JsonNode SCHEMA =
      LanguageJson.tree("{\"type\":\"object\",\"properties\":{\"n\":{\"maximum\":1.50}}}");
  private static final Tool TOOL = new Tool("weather", "Of a city", SCHEMA, true, null);
  private static final Sampling SAMPLING =
      new Sampling(
          new BigDecimal("0.70"), new BigDecimal("0.9"), null, null, null, null, List.of());

  private static final Map<String, Prompt> PROMPTS = prompts();

  private static Map<String, Prompt> prompts() {
    Map<String, Prompt> all = new LinkedHashMap<>();
    all.put("text", talk(user("Hello"), assistant(Part.text("Yes?")), user("Zoë 👋")));
    all.put("instructions", talk(system("Be brief."), user("Hello")));
    all.put(
        "instructions in blocks",
        talk(new Turn(Role.SYSTEM, List.of(Part.text("One."), Part.text("Two."))), user("Go")));
    all.put("one tool", talk(Tooling.NONE, call("call_1"), results("call_1")));
    all.put(
        "parallel tools",
        talk(
            new Tooling(List.of(TOOL), new ToolChoice.Auto(), true),
            call("call_1", "call_2"),
            results("call_1", "call_2")));
    all.put(
        "results and a question",
        talk(Tooling.NONE, call("call_1"), results("call_1"), user("And now?")));
    for (ToolChoice choice :
        List.of(
            new ToolChoice.Auto(),
            new ToolChoice.Any(),
            new ToolChoice.None(),
            new ToolChoice.Named("weather"))) {
      all.put("choice " + choice, talk(new Tooling(List.of(TOOL), choice, null), user("Go")));
    }
    all.put(
        "one at a time",
        talk(new Tooling(List.of(TOOL), new ToolChoice.Auto(), false), user("Go")));
    all.put("images", talk(new Turn(Role.USER, pictures())));
    all.put("documents", talk(new Turn(Role.USER, documents())));
    all.put("schema", formatted());
    return all;
  }

  static Stream<Arguments> matrix() {
    List<Arguments> all = new ArrayList<>();
    for (Dialect caller : Dialect.values()) {
      for (Dialect upstream : Dialect.values()) {
        PROMPTS.keySet().forEach(name -> all.add(Arguments.of(caller, upstream, name)));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{2}: {0} to {1}")
  @MethodSource("matrix")
  void aPromptArrives(Dialect caller, Dialect upstream, String name) {
    Prompt prompt = PROMPTS.get(name);
    byte[] said = Protocols.of(caller).writePrompt(prompt, TARGET);
    Prompt heard = Protocols.of(caller).readPrompt(said);

    Protocol there = Protocols.of(upstream);
    Prompt arrived = there.readPrompt(there.writePrompt(heard, TARGET));

    assertThat(heard).isEqualTo(prompt);
    assertThat(arrived).isEqualTo(prompt);
  }

  private static Prompt talk(Turn... turns) {
    return talk(Tooling.NONE, turns);
  }

  private static Prompt talk(Tooling tooling, Turn... turns) {
    return prompt(tooling, new Format.Prose(), turns);
  }

  private static Prompt formatted() {
    Format format = new Format.JsonSchema("answer", null, SCHEMA, true);
    return prompt(Tooling.NONE, format, user("As JSON"));
  }

  private static Prompt prompt(Tooling tooling, Format format, Turn... turns) {
    return new Prompt(
        "some-model",
        List.of(turns),
        tooling,
        SAMPLING,
        new Output(2_000, format, null, 1),
        null,
        new Labels("u-1", Map.of()),
        new Streaming(true, true),
        null,
        List.of());
  }

  private static Turn system(String text) {
    return new Turn(Role.SYSTEM, List.of(Part.text(text)));
  }

  private static Turn user(String text) {
    return new Turn(Role.USER, List.of(Part.text(text)));
  }

  private static Turn assistant(Part... parts) {
    return new Turn(Role.ASSISTANT, List.of(parts));
  }

  private static Turn call(String... ids) {
    List<Part> parts = new ArrayList<>(List.of(Part.text("I look.")));
    for (String id : ids) {
      parts.add(new Part.ToolUse(id, "weather", "{\"n\":1.50}", null));
    }
    return new Turn(Role.ASSISTANT, parts);
  }

  private static Turn results(String... ids) {
    List<Part> parts = new ArrayList<>();
    for (String id : ids) {
      parts.add(new Part.ToolResult(id, List.of(Part.text("12 °C")), false, null));
    }
    return new Turn(Role.USER, parts);
  }

  private static List<Part> pictures() {
    return List.of(
        Part.text("Which is larger?"),
        new Part.Image(new Source.Inline("image/png", "iVBORw0KGgo="), null, null),
        new Part.Image(new Source.Address("https://example.org/a.jpg"), null, null));
  }

  private static List<Part> documents() {
    return List.of(
        new Part.Document(new Source.Inline("application/pdf", "JVBERi0="), "a.pdf", null),
        Part.text("Sum it up."));
  }
}
