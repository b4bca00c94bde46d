package dev.octroi.sandbox.language;

import dev.octroi.sandbox.language.Asked.Choice;
import dev.octroi.sandbox.language.Asked.Tool;
import dev.octroi.sandbox.websearch.WebPages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Which tools the model calls: those that the prompt names, else the one that fits it best. */
final class ToolChoice {

  private static final Pattern CALL = Pattern.compile("(?i)\\b(?:call|use)\\b");
  private static final Pattern FIRST_TOOL =
      Pattern.compile("(?i)\\b(?:call|use) (?:the|a) (?:first )?tool\\b");

  /** Words of many tools, which say nothing about what one is for. */
  private static final Set<String> COMMON =
      WebPages.words(
          "get set fetch find list show run make do use using call tool function api data info"
              + " information current given return returns retrieve perform user value input output"
              + " name text string new all any one");

  /** A name's word is worth this many of a description's. */
  private static final int NAMED = 2;

  private final Asked asked;
  private final String text;

  private ToolChoice(Asked asked) {
    this.asked = asked;
    this.text = asked.lastText();
  }

  /**
   * The tools to be called.
   *
   * @param instructed whether the prompt has an instruction of its own, so that a tool has to be
   *     named
   */
  static List<Tool> of(Asked asked, boolean instructed) {
    return new ToolChoice(asked).called(instructed);
  }

  private List<Tool> called(boolean instructed) {
    Choice choice = asked.choice();
    if (asked.tools().isEmpty() || choice.kind() == Choice.Kind.NONE) {
      return List.of();
    }
    if (choice.kind() == Choice.Kind.NAMED) {
      return asked.tools().stream().filter(tool -> tool.name().equals(choice.name())).toList();
    }
    if (!asked.results().isEmpty()) {
      return List.of();
    }
    List<Tool> named = named();
    if (!named.isEmpty()) {
      return asked.parallel() ? named : named.subList(0, 1);
    }
    boolean must = choice.kind() == Choice.Kind.ANY;
    if (FIRST_TOOL.matcher(text).find() && !must) {
      return asked.tools().subList(0, 1);
    }
    return must || !instructed ? fitting(must) : List.of();
  }

  private List<Tool> named() {
    return CALL.matcher(text).find()
        ? asked.tools().stream().filter(this::isNamed).toList()
        : List.of();
  }

  private boolean isNamed(Tool tool) {
    return Pattern.compile("(?<![\\w-])" + Pattern.quote(tool.name()) + "(?![\\w-])")
        .matcher(text)
        .find();
  }

  private List<Tool> fitting(boolean must) {
    Set<String> words = WebPages.words(text);
    Tool best = asked.tools().get(0);
    int most = 0;
    for (Tool tool : asked.tools()) {
      int shared = shared(tool, words);
      if (shared > most) {
        best = tool;
        most = shared;
      }
    }
    // A short question has few words to share.
    boolean fits = most >= NAMED || (most > 0 && 4 * most >= words.size());
    return must || fits ? List.of(best) : List.of();
  }

  /** How much a tool shares with the words of a question. */
  private static int shared(Tool tool, Set<String> words) {
    Set<String> name = WebPages.words(String.join(" ", Stated.words(tool.name())));
    List<String> members = new ArrayList<>(List.of(tool.description()));
    for (var property : tool.schema().path("properties").properties()) {
      members.addAll(Stated.words(property.getKey()));
      property.getValue().path("enum").forEach(word -> members.add(word.asText()));
    }
    Set<String> more = new HashSet<>(WebPages.words(String.join(" ", members)));
    more.removeAll(name);
    return NAMED * count(name, words) + count(more, words);
  }

  private static int count(Set<String> of, Set<String> words) {
    return (int) of.stream().filter(word -> words.contains(word) && !COMMON.contains(word)).count();
  }
}
