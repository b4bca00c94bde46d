package dev.octroi.sandbox.websearch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sentences of a page that answer a query best. */
final class Passages {

  /**
   * Sentences that stand together.
   *
   * @param score the share of the query's words that are in them
   */
  record Passage(String text, double score, int start) {}

  private final Words words;

  Passages(Words words) {
    this.words = words;
  }

  /** The best passages of so many sentences, which do not overlap, in the order of their score. */
  List<Passage> of(Page page, String query, int sentences, int most) {
    Set<String> wanted = words.of(query);
    List<String> all = sentences(page);
    List<Passage> ranked = new ArrayList<>();
    for (int start = 0; start < all.size(); start += sentences) {
      String text = String.join(" ", all.subList(start, Math.min(all.size(), start + sentences)));
      ranked.add(new Passage(text, share(wanted, text), start));
    }
    ranked.sort(
        Comparator.comparingDouble(Passage::score).reversed().thenComparingInt(Passage::start));
    return ranked.subList(0, Math.min(most, ranked.size()));
  }

  /** The sentence that answers best, and the one behind it. */
  String best(Page page, String query) {
    int start = of(page, query, 1, 1).get(0).start();
    List<String> all = sentences(page);
    return String.join(" ", all.subList(start, Math.min(all.size(), start + 2)));
  }

  private static List<String> sentences(Page page) {
    return List.of(page.text().split("(?<=[.!?]) "));
  }

  private double share(Set<String> wanted, String text) {
    Set<String> there = new HashSet<>(words.of(text));
    there.retainAll(wanted);
    return wanted.isEmpty() ? 0 : (double) there.size() / wanted.size();
  }
}
