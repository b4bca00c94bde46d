package dev.octroi.services.language.route;

import dev.octroi.services.language.tokens.CountedPrompt;
import java.util.regex.Pattern;

/**
 * What a choice between models looks at.
 *
 * @param prompt all that the model will read
 * @param maxTokens what it may write at most; 0 where the request does not say
 * @param answers how many answers it asks for, each as long
 * @param thinking whether the request asks for reasoning by its own member
 * @param code whether code is read or asked for
 * @param puzzle whether the words ask for reasoning
 */
public record RequestTraits(
    CountedPrompt prompt,
    int maxTokens,
    int answers,
    boolean thinking,
    boolean code,
    boolean puzzle) {

  /** Signs of code: a fence, or a line that ends as only code does. */
  private static final Pattern CODE =
      Pattern.compile(
          "```|(?m)^[^\\n]{0,400}[;{][ \\t]{0,20}$|(?m)^[ \\t]{0,40}(?:def|class|func|fn) \\w");

  private static final Pattern PUZZLE =
      Pattern.compile(
          "(?i)\\b(?:step by step|prove that|prove|derive|theorem|reason about|trade-?offs?)\\b");

  /** The choice looks no further into a text: it may be wrong, and must be quick. */
  private static final int LOOKED_AT = 16 * 1024;

  /**
   * The traits of a request.
   *
   * @param task the last turn of the user's, which says what is to be done
   */
  public static RequestTraits of(
      CountedPrompt prompt, String task, int maxTokens, int answers, boolean thinking) {
    String looked = task.substring(0, Math.min(LOOKED_AT, task.length()));
    return new RequestTraits(
        prompt,
        maxTokens,
        answers,
        thinking,
        CODE.matcher(looked).find(),
        PUZZLE.matcher(looked).find());
  }

  /** The same with another limit of the answer. */
  public RequestTraits withMaxTokens(int most) {
    return new RequestTraits(prompt, most, answers, thinking, code, puzzle);
  }

  boolean tools() {
    return prompt.tools() > 0;
  }

  boolean pictures() {
    return !prompt.pictures().isEmpty();
  }

  boolean documents() {
    return !prompt.documentBytes().isEmpty();
  }

  /** How long the texts are, in characters. */
  long length() {
    return prompt.texts().stream().mapToLong(String::length).sum();
  }
}
