package dev.octroi.reference.docs;

import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of documentation in Markdown.
 *
 * @param file where it lies
 * @param name its path below the project's folder
 * @param lines its lines
 */
public record Page(Path file, String name, List<String> lines) {

  private static final String FENCE = "```";

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
    for (Path file : sources.ending(".md")) {
      pages.add(read(sources, file));
    }
    return pages;
  }

  /** The page of this name, such as {@code gateway-api/docs/prices.md}. */
  public static Page named(Sources sources, String name) throws IOException {
    return read(sources, sources.root().resolve(name));
  }

  private static Page read(Sources sources, Path file) throws IOException {
    return new Page(file, sources.name(file), Files.readAllLines(file));
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
