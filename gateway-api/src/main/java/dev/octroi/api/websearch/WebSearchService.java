package dev.octroi.api.websearch;

import dev.octroi.api.group.CallDeadlines;
import dev.octroi.api.read.Answers;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.websearch.PageContents;
import dev.octroi.services.websearch.VendorWebSearch;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Serves the methods of web search.
 *
 * @param search the search vendor, if there is one
 * @param contents where the contents of pages come from
 * @param limit how long a call may take
 * @param bodies reads what is asked
 * @param deadlines the clock of payments
 */
record WebSearchService(
    Optional<VendorWebSearch> search,
    PageContents contents,
    Duration limit,
    BodyReader bodies,
    CallDeadlines deadlines) {

  /** The vendor, without whom calls that need it are not served. */
  VendorWebSearch vendor() {
    return search.orElseThrow(
        () -> new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "There is no search vendor"));
  }

  <T extends Record> Response answer(
      Class<T> type,
      byte[] body,
      SecurityContext security,
      BiFunction<T, Deadline, Answer> method) {
    T asked = bodies.read(body, type);
    return Answers.response(method.apply(asked, deadlines.of(security, limit)));
  }
}
