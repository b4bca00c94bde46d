package dev.octroi.api.settings;

import java.util.List;

/** Settings with which the gateway does not start, with every problem found and its place. */
public final class InvalidSettings extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public InvalidSettings(List<String> problems) {
    super(
        (problems.size() == 1 ? "1 problem" : problems.size() + " problems")
            + " in the settings:\n  - "
            + String.join("\n  - ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line per problem, naming the setting and where its value came from. */
  public List<String> problems() {
    return problems;
  }
}
