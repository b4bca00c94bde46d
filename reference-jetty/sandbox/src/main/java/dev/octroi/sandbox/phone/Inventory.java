package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The numbers of all areas, +1 AAA 555 01XX, and who has them. What is given back can be bought
 * again; a restart sells nothing any more. Thread-safe.
 */
final class Inventory {

  private static final int FIRST = 100;

  private final Map<String, SoldNumber> bySid = new LinkedHashMap<>();
  private final Set<String> sold = new HashSet<>();
  private final Set<String> disappointed = new HashSet<>();
  private long sales;

  /** Some numbers of an area that are not sold. */
  synchronized List<String> available(String area, int most) {
    return IntStream.range(FIRST, FIRST + Area.of(area).size())
        .mapToObj(last -> "+1" + area + "5550" + last)
        .filter(number -> !sold.contains(number))
        .limit(most)
        .toList();
  }

  /** Sells a number; empty if it is sold already. */
  synchronized Optional<SoldNumber> sell(String number, String name) {
    Area area = Area.of(area(number));
    boolean faster =
        area == Area.SNAPPED_UP || (area == Area.SNAPPED_UP_ONCE && disappointed.add(name));
    if (faster || !sold.add(number)) {
      return Optional.empty();
    }
    sales++;
    SoldNumber made = new SoldNumber("PN" + Seeded.of(number, name, sales).hex(32), number, name);
    bySid.put(made.sid(), made);
    return Optional.of(made);
  }

  /** Everything that was bought under a name, or at all. */
  synchronized List<SoldNumber> bought(Optional<String> name) {
    return bySid.values().stream()
        .filter(one -> name.isEmpty() || name.get().equals(one.name()))
        .toList();
  }

  /** Takes a number back; false if it is not sold. */
  synchronized boolean release(String sid) {
    SoldNumber released = bySid.remove(sid);
    return released != null && sold.remove(released.number());
  }

  /** Whether a number has been bought here. */
  synchronized boolean isSold(String number) {
    return sold.contains(number);
  }

  static String area(String number) {
    return number.length() < 5 ? "" : number.substring(2, 5);
  }
}
