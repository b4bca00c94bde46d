package dev.octroi.api.read;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.CallDeadlines;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;

/**
 * Serves the rows of one group. A path that no row has is 404, without a challenge. Thread-safe.
 *
 * @param base where they lie
 * @param rows which there are
 * @param reads what runs them
 * @param limit how long one may take
 */
public record ReadService<R extends Read>(
    String base, RowMatcher<R> rows, Reads reads, Duration limit, CallDeadlines deadlines) {

  public Response answer(UriInfo uri, SecurityContext security) {
    String path = uri.getPath(false);
    RowMatcher.Match<R> match = find(base, rows, path.startsWith("/") ? path : "/" + path);
    return Answers.response(
        reads.read(
            match.row(),
            match.path(),
            QueryText.parameters(uri.getRequestUri().getRawQuery()),
            deadlines.of(security, limit)));
  }

  /** The price of the row that a path names. */
  public static <R extends Read> Usd price(String base, RowMatcher<R> rows, String path) {
    return Usd.of(find(base, rows, path).row().price());
  }

  private static <R extends Read> RowMatcher.Match<R> find(
      String base, RowMatcher<R> rows, String path) {
    return rows.match(path.substring(base.length()))
        .orElseThrow(
            () ->
                new WebApplicationException(
                    ErrorAnswer.flat(404, "There is no such path.").response()));
  }
}
