package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;
import java.util.Optional;

/**
 * Something that is sold: an HTTP method on a path template.
 *
 * @param method in upper case
 * @param path the canonical template, its parameters in braces
 * @param list what it costs where no rule says otherwise; empty where that is counted from tokens
 */
public record SoldRow(String method, String path, Group group, Optional<Usd> list) {

  /** How the price book names it: {@code GET/v1/…}. */
  String word() {
    return method + path;
  }
}
