package dev.octroi.api.error;

import dev.octroi.payments.body.ReceivedBody.BrokenRequest;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.services.Failure;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.core.ConnectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an answer of everything that is thrown, so that the response filters always run and every
 * claimed payment is settled or released (architecture, rule 5). What was not foreseen is logged
 * under an incident number, and only the number is told; what a caller broke is no incident.
 */
public final class ErrorMapper implements ExceptionMapper<Throwable> {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

  private static final Duration LEDGER_PAUSE = Duration.ofSeconds(1);

  @Override
  public Response toResponse(Throwable thrown) {
    if (BrokenRequest.isCauseOf(thrown) || isLate(thrown)) {
      return ErrorAnswer.flat(400).response();
    }
    if (thrown instanceof Failure failure) {
      return ErrorAnswer.shaped(
              failure.code().status(), failure.code().code(), String.valueOf(failure.getMessage()))
          .retryAfter(failure.retryAfter().orElse(null))
          .because(failure.detail().orElse(null))
          .response();
    }
    if (thrown instanceof WebApplicationException exception) {
      return of(exception.getResponse());
    }
    if (thrown instanceof LedgerUnavailable || thrown instanceof ConnectionException) {
      LedgerUnavailable.log(LOG, "A call was given up", thrown);
      return ErrorAnswer.flat(503).retryAfter(LEDGER_PAUSE).response();
    }
    String incident = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    LOG.error("Incident {}: a call ended unforeseen", incident, thrown);
    return ErrorAnswer.shaped(
            500, "internal_error", "Something unexpected went wrong here (" + incident + ").")
        .response();
  }

  /** The caller left before the last byte: the answer that this becomes reaches it no more. */
  private static boolean isLate(Throwable thrown) {
    return thrown instanceof IOException && WrittenAnswer.isEnded();
  }

  /** JAX-RS's own refusals have no body and get one; an answer that has one passes through. */
  private static Response of(Response response) {
    if (response.hasEntity() || response.getStatus() < 400) {
      return response;
    }
    Response flat = ErrorAnswer.flat(response.getStatus()).response();
    Response.ResponseBuilder answer = Response.fromResponse(flat);
    for (String kept : List.of(HttpHeaders.ALLOW, HttpHeaders.RETRY_AFTER)) {
      String value = response.getHeaderString(kept);
      if (value != null) {
        answer.header(kept, value);
      }
    }
    return answer.build();
  }

  /**
   * The same for the gateway's own failures alone: a host may map what they extend, and answer as
   * if they were none.
   */
  public static final class FailureMapper implements ExceptionMapper<Failure> {
    @Override
    public Response toResponse(Failure thrown) {
      return new ErrorMapper().toResponse(thrown);
    }
  }

  /** The same for a ledger that cannot answer. */
  public static final class LedgerMapper implements ExceptionMapper<LedgerUnavailable> {
    @Override
    public Response toResponse(LedgerUnavailable thrown) {
      return new ErrorMapper().toResponse(thrown);
    }
  }

  /**
   * Whether the answer of the call that came in on this thread has been written. What fails after
   * that is its connection: some implementations of JAX-RS map it like a failure of the method. A
   * thread on which a host completes its asynchronous calls began none of them, so that an answer
   * says nothing of the next failure there. Thread-safe.
   */
  public static final class WrittenAnswer {

    private static final ThreadLocal<Boolean> WRITTEN = new ThreadLocal<>();

    private WrittenAnswer() {}

    /** A call comes in on this thread. */
    public static void begin() {
      WRITTEN.set(Boolean.FALSE);
    }

    /** All of the answer has been handed to the server. */
    public static void end() {
      if (WRITTEN.get() != null) {
        WRITTEN.set(Boolean.TRUE);
      }
    }

    static boolean isEnded() {
      return Boolean.TRUE.equals(WRITTEN.get());
    }
  }
}
