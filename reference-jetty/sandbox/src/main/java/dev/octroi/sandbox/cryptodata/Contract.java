package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the vendor takes on each path, as the table {@code reads.txt} states it. */
final class Contract {

  static final Contract STATED = new Contract();

  private final Map<String, List<Accepted>> reads = new LinkedHashMap<>();

  private Contract() {
    List<Accepted> current = new ArrayList<>();
    for (String line : Formulas.lines(Contract.class, "reads.txt")) {
      if (line.startsWith(" ")) {
        current.add(Accepted.parse(line.trim()));
      } else {
        current = new ArrayList<>();
        reads.put(Wire.word(line.trim()), current);
      }
    }
  }

  /** Every read as method, space and path. */
  Set<String> reads() {
    return reads.keySet();
  }

  /**
   * Checks the parameters of a request; the vendor ignores those it does not know.
   *
   * @param read method, space and path, one of {@link #reads}
   * @throws Refusal for a missing or bad one
   */
  void check(String read, Map<String, List<String>> query) {
    for (Accepted accepted : reads.getOrDefault(read, List.of())) {
      List<String> given = query.getOrDefault(accepted.name(), List.of());
      accepted.check(given.isEmpty() ? null : String.join(",", given));
    }
  }
}
