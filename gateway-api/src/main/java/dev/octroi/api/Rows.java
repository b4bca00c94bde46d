package dev.octroi.api;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.WebApplicationException;

/** From a path to its row; a path that no row has is 404, without a challenge. */
final class Rows {

  private Rows() {}

  static <R extends Read> RowMatcher.Match<R> find(Group group, RowMatcher<R> rows, String path) {
    return rows.match(path.substring(group.base().length()))
        .orElseThrow(
            () ->
                new WebApplicationException(
                    ErrorAnswer.flat(404, "There is no such path.").response()));
  }

  static <R extends Read> Usd price(Group group, RowMatcher<R> rows, String path) {
    return Usd.of(find(group, rows, path).row().price());
  }
}
