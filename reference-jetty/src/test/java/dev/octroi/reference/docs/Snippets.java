package dev.octroi.reference.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rule for the Java in documents: it stands, but for white space, in a source file that the
 * build compiles.
 *
 * <p>A blank line ends a passage; what follows may stand in another file. In a passage, {@code …}
 * leaves something out; what is before and after it stands in the same file in this order.
 *
 * @param root the folder with the documents and the sources
 */
record Snippets(Path root) {

  /** What is made by a build or fetched for it, and no document of ours. */
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");

  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /** Every block of Java in a document. */
  Stream<Block> blocks() {
    return files(".md").stream()
        .flatMap(
            file ->
                BLOCK
                    .matcher(read(file))
                    .results()
                    .map(found -> new Block(root.relativize(file).toString(), found)));
  }

  /** Every source file, without white space. */
  List<String> sources() {
    return files(".java").stream().map(file -> withoutSpace(read(file))).toList();
  }

  /** The passages of a block that stand in none of the sources. */
  static List<String> strangers(Block block, List<String> sources) {
    return block.passages().stream()
        .filter(passage -> sources.stream().noneMatch(source -> holds(source, passage)))
        .toList();
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

  private List<Path> files(String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes unused) {
              return NOT_OURS.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
              if (file.toString().endsWith(ending)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One block of a document.
   *
   * @param place the document, and where in it
   */
  record Block(String place, String text) {

    Block(String document, MatchResult found) {
      this(document + " at character " + found.start(), found.group(1));
    }

    List<String> passages() {
      return Stream.of(text.split("\\n\\s*\\n")).toList();
    }

    @Override
    public String toString() {
      return place;
    }
  }
}
