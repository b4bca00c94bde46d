package dev.octroi.reference.docs;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rule for the Java in documents: it stands, but for white space, in a source file that the
 * build compiles.
 *
 * <p>A blank line ends a passage; what follows may stand in another file. In a passage, {@code …}
 * leaves something out; what is before and after it stands in the same file in this order.
 *
 * @param project the folder with the documents and the sources
 */
record Snippets(Sources project) {

  /** Every block of Java in a document. */
  List<Page.Block> blocks() throws IOException {
    return Page.all(project).stream().flatMap(page -> page.blocks("java").stream()).toList();
  }

  /** Every source file, without white space. */
  List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (Path file : project.ending(".java")) {
      sources.add(withoutSpace(Files.readString(file)));
    }
    return sources;
  }

  /** The passages of a block that stand in none of the sources. */
  static List<String> strangers(Page.Block block, List<String> sources) {
    return passages(block)
        .filter(passage -> sources.stream().noneMatch(source -> holds(source, passage)))
        .toList();
  }

  private static Stream<String> passages(Page.Block block) {
    return Stream.of(String.join("\n", block.lines()).split("\\n\\s*\\n", -1));
  }

  private static boolean holds(String source, String passage) {
    int from = 0;
    for (String piece : passage.split("…", -1)) {
      String wanted = withoutSpace(piece);
      int at = source.indexOf(wanted, from);
      if (at < 0) {
        return false;
      }
      from = at + wanted.length();
    }
    return true;
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s+", "");
  }
}
