package dev.octroi.services.smartsearch;

import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.smartsearch.SmartSearch.Sources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The marks of a summary, {@code [n]}, as the model writes it: those of sources are numbered anew
 * in the order in which they are first used, those of nothing are taken out. An address that the
 * model puts behind a mark is taken out too. For one thread.
 */
final class Marks {

  private static final Pattern MARK =
      Pattern.compile(
          "([ \\t]{0,4})\\[ ?(\\d{1,3}(?:[ ,]{1,3}\\d{1,3}){0,19}) ?\\](?:\\([^()\\s]{0,400}\\))?");

  /** What may still become a mark, at the end of what has been written. */
  private static final Pattern BEGUN =
      Pattern.compile("[ \\t]{0,4}(?:\\[[\\d, ]{0,130}(?:\\](?:\\([^()\\s]{0,400})?)?)?\\z");

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final Sources sources;
  private final Map<Integer, Integer> numbers = new LinkedHashMap<>();
  private final List<Citation> cited = new ArrayList<>();
  private final StringBuilder held = new StringBuilder();
  private int written;
  private int told;

  Marks(Sources sources) {
    this.sources = sources;
  }

  /** What can be told after the model has written more. */
  String more(String text) {
    held.append(text);
    Matcher begun = BEGUN.matcher(held);
    return told(begun.find() ? begun.start() : held.length());
  }

  /** What was held back, at the end. */
  String rest() {
    return told(held.length());
  }

  private String told(int length) {
    String ready = held.substring(0, length);
    held.delete(0, length);
    StringBuilder out = new StringBuilder(length);
    Matcher mark = MARK.matcher(ready);
    int from = 0;
    while (mark.find()) {
      out.append(ready, from, mark.start());
      from = mark.end();
      mark(mark.group(1), mark.group(2), out);
    }
    out.append(ready, from, length);
    written += out.length();
    return out.toString();
  }

  private void mark(String space, String list, StringBuilder out) {
    int start = written + out.length() + space.length();
    StringBuilder marks = new StringBuilder();
    Matcher number = NUMBER.matcher(list);
    while (number.find()) {
      int source = Integer.parseInt(number.group());
      if (sources.page(source).isPresent()) {
        int begin = start + marks.length();
        marks.append('[').append(number(source)).append(']');
        cite(source, begin, start + marks.length());
      }
    }
    if (!marks.isEmpty()) {
      out.append(space).append(marks);
    }
  }

  private int number(int source) {
    return numbers.computeIfAbsent(source, first -> numbers.size() + 1);
  }

  private void cite(int source, int start, int end) {
    if (cited.size() < numbers.size()) {
      sources
          .page(source)
          .map(page -> new Citation(page.url(), page.title(), "", start, end))
          .ifPresent(cited::add);
    }
  }

  /** The sources that are used by now, by their new numbers. */
  List<Citation> cited() {
    return List.copyOf(cited);
  }

  /** Those of them that this has not told yet. */
  List<Citation> news() {
    List<Citation> news = List.copyOf(cited.subList(told, cited.size()));
    told = cited.size();
    return news;
  }
}
