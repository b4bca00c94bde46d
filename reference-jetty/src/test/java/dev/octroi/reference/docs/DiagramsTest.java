package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The diagrams: that they can be drawn, and show what there is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiagramsTest {

  private static final Sources SOURCES = Sources.ofTheProject();
  private static final Pattern PARTICIPANT = Pattern.compile("  (participant|actor) ([A-Za-z]+)");

  /** A semicolon would end the statement, and the word "end" a group. */
  private static final String TEXT = "(?!.*(;|\\bend\\b)).+";

  private static final Pattern MESSAGE = Pattern.compile("  ([A-Za-z]+)--?>>([A-Za-z]+): " + TEXT);
  private static final Pattern NOTE =
      Pattern.compile("  Note over ([A-Za-z]+)(?:,([A-Za-z]+))?: " + TEXT);
  private static final Pattern TRANSITION =
      Pattern.compile("  ([A-Z_]+|\\[\\*]) --> ([A-Z_]+|\\[\\*])(: " + TEXT + ")?");

  /** Those who take part and are no class. */
  private static final Set<String> NO_CLASS =
      Set.of("Payer", "Caller", "NodeA", "NodeB", "Database");

  private static final int MOST_LINES = 20;

  private final List<Page.Block> diagrams;

  DiagramsTest() throws IOException {
    diagrams = Page.all(SOURCES).stream().flatMap(page -> page.blocks("mermaid").stream()).toList();
  }

  private List<Page.Block> of(String kind) {
    return diagrams.stream().filter(diagram -> diagram.lines().get(0).equals(kind)).toList();
  }

  @Test
  void eachDiagramIsOfAKindThatIsLookedAtAndShort() {
    assertThat(diagrams)
        .hasSizeGreaterThan(8)
        .allMatch(diagram -> diagram.lines().size() <= MOST_LINES)
        .allMatch(
            diagram ->
                diagram.lines().get(0).matches("sequenceDiagram|stateDiagram-v2|flowchart TD"));
  }

  @Test
  void theStatesOfAPaymentAreAllDrawnAndNoOthers() {
    Set<String> drawn = new TreeSet<>();
    for (Page.Block diagram : of("stateDiagram-v2")) {
      for (String line : rest(diagram)) {
        Matcher transition = TRANSITION.matcher(line);
        assertThat(transition.matches()).as(diagram.place() + " " + line).isTrue();
        drawn.add(transition.group(1));
        drawn.add(transition.group(2));
      }
    }
    drawn.remove("[*]");
    assertThat(drawn)
        .containsExactlyElementsOf(
            Stream.of(PaymentState.values()).map(Enum::name).sorted().toList());
  }

  @Test
  void thoseWhoTakePartInASequenceAreClassesAndAllOfThemSpeak() {
    Set<String> classes = SOURCES.types();
    for (Page.Block diagram : of("sequenceDiagram")) {
      Set<String> named = new HashSet<>();
      Set<String> speaking = new HashSet<>();
      for (String line : rest(diagram)) {
        read(diagram, line, named, speaking);
      }
      assertThat(speaking).as(diagram.place()).isEqualTo(named);
      named.removeAll(NO_CLASS);
      assertThat(classes).as(diagram.place()).containsAll(named);
    }
  }

  private static void read(
      Page.Block diagram, String line, Set<String> named, Set<String> speaking) {
    Matcher participant = PARTICIPANT.matcher(line);
    Matcher message = MESSAGE.matcher(line);
    if (participant.matches()) {
      named.add(participant.group(2));
    } else if (message.matches()) {
      speaking.add(message.group(1));
      speaking.add(message.group(2));
    } else {
      Matcher note = NOTE.matcher(line);
      assertThat(note.matches()).as(diagram.place() + " " + line).isTrue();
      assertThat(named).as(line).contains(note.group(1));
      assertThat(note.group(2) == null || named.contains(note.group(2))).as(line).isTrue();
    }
  }

  private static List<String> rest(Page.Block diagram) {
    return diagram.lines().subList(1, diagram.lines().size());
  }
}
