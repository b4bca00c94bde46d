package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;

/**
 * Something that is sold: an HTTP method on a path template.
 *
 * @param method in upper case
 * @param path the canonical template, its parameters in braces
 * @param list what it costs where no rule says otherwise
 */
public record SoldRow(String method, String path, Group group, Usd list) {

  /** How the price book names it: {@code GET/v1/…}. */
  String word() {
    return method + path;
  }
}
