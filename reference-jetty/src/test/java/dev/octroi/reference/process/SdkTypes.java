package dev.octroi.reference.process;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The request types of an SDK, as its declarations for TypeScript have them. */
final class SdkTypes {

  private static final Pattern COMMENT = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']+)'");

  private final String declarations;

  private SdkTypes(String declarations) {
    this.declarations = declarations;
  }

  /**
   * Reads declarations.
   *
   * @param files of installed packages
   */
  static SdkTypes of(String... files) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String file : files) {
      all.append(COMMENT.matcher(NodeClients.packaged(file)).replaceAll("")).append('\n');
    }
    return new SdkTypes(all.toString());
  }

  /**
   * What a type consists of: the members of an interface, or the words in {@code type} of those
   * that are alternatives. Interfaces of the same name in several places are one.
   */
  Set<String> parts(String type) {
    Matcher union =
        line(" *(?:export )?(?:declare )?type " + type + " = ([^;]*);").matcher(declarations);
    if (!union.find()) {
      return bodies(type).flatMap(SdkTypes::members).collect(TreeSet::new, Set::add, Set::addAll);
    }
    return Stream.of(union.group(1).split("\\|"))
        .map(String::strip)
        .flatMap(name -> bodies(name.substring(name.lastIndexOf('.') + 1)))
        .flatMap(SdkTypes::kinds)
        .collect(TreeSet::new, Set::add, Set::addAll);
  }

  /** Indentation, and what stands within the braces. */
  private Stream<MatchResult> bodies(String name) {
    return Pattern.compile(
            "^( *)(?:export )?interface " + Pattern.quote(name) + "\\b[^{]*\\{(.*?)^\\1\\}",
            Pattern.DOTALL | Pattern.MULTILINE)
        .matcher(declarations)
        .results();
  }

  private static Stream<String> members(MatchResult body) {
    return line(body.group(1) + " {4}(\\w+)\\??:")
        .matcher(body.group(2))
        .results()
        .map(member -> member.group(1));
  }

  private static Stream<String> kinds(MatchResult body) {
    return line(body.group(1) + " {4}type\\??: ([^;]*);")
        .matcher(body.group(2))
        .results()
        .flatMap(kind -> WORD.matcher(kind.group(1)).results())
        .map(word -> word.group(1));
  }

  private static Pattern line(String words) {
    return Pattern.compile("^" + words, Pattern.MULTILINE);
  }
}
