package dev.octroi.payments;

import java.util.List;

/** Everything that is wrong with the configuration or the annotated methods, reported at once. */
public final class PaymentsMisconfigured extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public PaymentsMisconfigured(List<String> problems) {
    super("payments cannot be deployed:\n - " + String.join("\n - ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence per problem, naming the place and what would be right. */
  public List<String> problems() {
    return problems;
  }
}
