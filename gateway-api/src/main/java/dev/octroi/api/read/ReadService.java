package dev.octroi.api.read;

import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.read.PostedJson.Answers;
import dev.octroi.payments.Payment;
import dev.octroi.services.Answer;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.RowMatcher;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves the rows of one group. A path that no row has is 404, without a challenge. Thread-safe.
 *
 * @param offered which there are
 * @param reads what runs them
 * @param limit how long one may take
 */
public record ReadService<R extends Read>(
    OfferedReads<R> offered, Reads reads, Duration limit, CallDeadlines deadlines) {

  public Response answer(UriInfo uri, SecurityContext security) {
    String path = uri.getPath(false);
    RowMatcher.Match<R> match = offered.find(path.startsWith("/") ? path : "/" + path);
    return Answers.response(
        run(match, uri.getRequestUri().getRawQuery(), Payment.of(security.getUserPrincipal())));
  }

  /** The read that is offered at a canonical path. */
  public Optional<OpenGroup.FoundRead> found(String path) {
    return offered
        .offered(path)
        .map(
            match ->
                new OpenGroup.FoundRead(
                    match.row(), (query, payment) -> run(match, query, payment)));
  }

  private Answer run(
      RowMatcher.Match<R> match, @Nullable String rawQuery, Optional<Payment> payment) {
    return reads.read(
        match.row(), match.path(), parameters(rawQuery), deadlines.of(payment, limit));
  }

  /** A query's parameters, decoded, in order of appearance, which JAX-RS does not keep. */
  private static Map<String, List<String>> parameters(@Nullable String rawQuery) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (rawQuery == null) {
      return parameters;
    }
    for (String pair : rawQuery.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.computeIfAbsent(decoded(name), key -> new ArrayList<>()).add(decoded(value));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
