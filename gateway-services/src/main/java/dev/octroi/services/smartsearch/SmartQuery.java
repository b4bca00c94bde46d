package dev.octroi.services.smartsearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Format;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.Part;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Role;
import dev.octroi.services.language.Turn;
import dev.octroi.services.websearch.SearchTerms;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A question to the web.
 *
 * @param results how many pages are read at most, 1 to {@link #MOST_RESULTS}
 */
public record SmartQuery(SearchTerms terms, int results) {

  public static final int DEFAULT_RESULTS = 5;
  public static final int MOST_RESULTS = 20;

  /**
   * Checks the number.
   *
   * @throws Failure 400 {@code invalid_params} for one that is out of range
   */
  public SmartQuery {
    if (results < 1 || results > MOST_RESULTS) {
      throw new Failure(ErrorCode.INVALID_PARAMS, "max_results is 1 to " + MOST_RESULTS);
    }
  }

  /**
   * The question of a prompt: the words of its last user turn (decisions, smart search).
   *
   * @throws InvalidPrompt 400 for what a summary of the web cannot do
   * @throws Failure 400 for words that cannot be searched for
   */
  public static SmartQuery of(Prompt prompt, int results) {
    if (!prompt.tooling().tools().isEmpty()) {
      throw new InvalidPrompt("tools", "tools are not called by auto/search");
    }
    if (!(prompt.output().format() instanceof Format.Prose) || prompt.output().candidates() > 1) {
      throw new InvalidPrompt("", "auto/search answers with one summary in prose");
    }
    List<Turn> asked = prompt.turns().stream().filter(turn -> turn.role() == Role.USER).toList();
    String words = asked.isEmpty() ? "" : words(asked.get(asked.size() - 1));
    return new SmartQuery(new SearchTerms(words), results);
  }

  private static String words(Turn turn) {
    return turn.parts().stream()
        .filter(Part.Text.class::isInstance)
        .map(part -> ((Part.Text) part).text())
        .collect(Collectors.joining("\n"));
  }
}
