package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnippetsTest {

  private static final String HELLO = "class Hello {\n  void greet() { say(1); }\n  int two;\n}\n";

  @Test
  void javaInADocumentIsCompiledSomewhere() throws IOException {
    Snippets ours = new Snippets(Sources.ofTheProject());
    List<Page.Block> blocks = ours.blocks();
    List<String> sources = ours.sources();

    assertThat(blocks).hasSizeGreaterThan(8);
    assertThat(blocks)
        .allSatisfy(
            block -> assertThat(Snippets.strangers(block, sources)).as(block.place()).isEmpty());
  }

  @Test
  void whiteSpaceAndWhatIsLeftOutMakeNoDifference(@TempDir Path folder) throws IOException {
    assertThat(strangers(folder, "class Hello {\n    void greet() { … }\n  …\n}\n")).isEmpty();
    assertThat(strangers(folder, "int two;\n\nvoid greet() { … }\n")).isEmpty();
  }

  @Test
  void whatStandsNowhereOrInAnotherOrderIsFound(@TempDir Path folder) throws IOException {
    assertThat(strangers(folder, "void greet() { say(2); }\n")).hasSize(1);
    assertThat(strangers(folder, "int two;\n…\nvoid greet()\n")).hasSize(1);
  }

  private static List<String> strangers(Path folder, String block) throws IOException {
    Files.writeString(folder.resolve("Hello.java"), HELLO);
    Files.writeString(folder.resolve("README.md"), "Text.\n\n```java\n" + block + "```\n");
    Path built = Files.createDirectories(folder.resolve("target"));
    Files.writeString(built.resolve("Made.java"), "void greet() { say(2); }");
    Snippets snippets = new Snippets(new Sources(folder));
    return Snippets.strangers(snippets.blocks().get(0), snippets.sources());
  }
}
