package dev.octroi.reference.docs;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A page of documentation in Markdown.
 *
 * @param file where it lies
 * @param name its path below the project's folder
 * @param lines its lines
 */
public record Page(Path file, String name, List<String> lines) {

  private static final String FENCE = "```";
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");

  /**
   * A block of code.
   *
   * @param line the number of its first line
   */
  public record Block(String page, int line, String language, List<String> lines) {

    /** Where it stands, for messages. */
    public String place() {
      return page + ":" + line;
    }
  }

  /** All pages of the project. */
  public static List<Page> all(Sources sources) throws IOException {
    List<Page> pages = new ArrayList<>();
    for (Path file : below(sources.root())) {
      pages.add(new Page(file, sources.name(file), Files.readAllLines(file)));
    }
    return pages;
  }

  private static List<Path> below(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files.stream().sorted().toList();
  }

  /** Its blocks of code in a language. */
  public List<Block> blocks(String language) {
    List<Block> blocks = new ArrayList<>();
    int begin = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(FENCE)) {
        continue;
      }
      if (begin < 0) {
        begin = i;
      } else {
        String words = lines.get(begin).substring(FENCE.length()).strip();
        if (words.equals(language)) {
          blocks.add(new Block(name, begin + 2, language, lines.subList(begin + 1, i)));
        }
        begin = -1;
      }
    }
    return blocks;
  }

  /** What is no block of code. */
  public List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : lines) {
      if (line.startsWith(FENCE)) {
        code = !code;
      } else if (!code) {
        prose.add(line);
      }
    }
    return prose;
  }
}
