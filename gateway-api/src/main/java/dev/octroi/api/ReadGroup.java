package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;

/**
 * Serves the rows of one group.
 *
 * @param group where they lie
 * @param rows which there are
 * @param reads what runs them
 * @param limit how long one may take
 * @param deadlines the clock of payments
 */
record ReadGroup<R extends Read>(
    Group group, RowMatcher<R> rows, Reads reads, Duration limit, CallDeadlines deadlines) {

  Response answer(UriInfo uri, SecurityContext security) {
    String path = uri.getPath(false);
    RowMatcher.Match<R> match = Rows.find(group, rows, path.startsWith("/") ? path : "/" + path);
    return Answers.response(
        reads.read(
            match.row(),
            match.path(),
            QueryText.parameters(uri.getRequestUri().getRawQuery()),
            deadlines.of(security, limit)));
  }
}
