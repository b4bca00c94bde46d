package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Something that is sold: an HTTP method on a path template.
 *
 * @param method in upper case
 * @param path the canonical template, its parameters in braces
 * @param list what it costs where no rule says otherwise; empty where that is counted from tokens
 */
public record SoldRow(String method, String path, Group group, Optional<Usd> list) {

  private static final Pattern PARAMETER = Pattern.compile(":([A-Za-z_]+)");

  /** The row of a read. */
  public static SoldRow ofRead(Group group, Read read) {
    String path = pathOf(group.base(), read);
    return new SoldRow("GET", path, group, Optional.of(Usd.of(read.price())));
  }

  /** The canonical template of a read below the base of its group. */
  public static String pathOf(String base, Read read) {
    return base + PARAMETER.matcher(read.path()).replaceAll("{$1}");
  }

  /** How the price book names it: {@code GET/v1/…}. */
  public String word() {
    return method + path;
  }
}
