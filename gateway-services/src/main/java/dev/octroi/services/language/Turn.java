package dev.octroi.services.language;

import java.util.ArrayList;
import java.util.List;

/**
 * What one side said before the other spoke. Results of tools stand in a turn of {@link Role#USER}.
 */
public record Turn(Role role, List<Part> parts) {

  public Turn {
    parts = List.copyOf(parts);
  }

  /**
   * The same talk with neighbouring turns of one speaker joined, as the protocols themselves read
   * it. Instructions stay as they were cut.
   */
  public static List<Turn> joined(List<Turn> turns) {
    List<Turn> joined = new ArrayList<>(turns.size());
    for (Turn turn : turns) {
      int last = joined.size() - 1;
      if (last >= 0 && !turn.role().instructs() && joined.get(last).role() == turn.role()) {
        joined.set(last, joined.get(last).plus(turn.parts()));
      } else {
        joined.add(turn);
      }
    }
    return List.copyOf(joined);
  }

  private Turn plus(List<Part> more) {
    List<Part> all = new ArrayList<>(parts);
    all.addAll(more);
    return new Turn(role, all);
  }
}
