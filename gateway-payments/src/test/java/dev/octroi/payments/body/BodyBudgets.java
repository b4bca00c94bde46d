package dev.octroi.payments.body;

import dev.octroi.payments.body.BodyMemory.ByteBudget;
import java.util.stream.Stream;

/** Tells whether all that bodies took up was given back. */
public final class BodyBudgets {

  private BodyBudgets() {}

  public static boolean areWhole(BodyBuffer bodies) {
    return Stream.of(bodies.memory(), bodies.disk()).allMatch(BodyBudgets::isWhole)
        && bodies.working().left() == bodies.working().whole();
  }

  private static boolean isWhole(ByteBudget budget) {
    return budget.left() == budget.whole();
  }
}
