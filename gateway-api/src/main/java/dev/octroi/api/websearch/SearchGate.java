package dev.octroi.api.websearch;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.services.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.time.Duration;

/**
 * Says that something is not to be had before the caller is asked to pay for it: similar pages
 * unless they are switched on, and without a search vendor everything but the contents of pages.
 */
@IfOpen
public final class SearchGate implements ContainerRequestFilter {

  private static final String SIMILAR = "/find-similar";
  private static final String CONTENTS = "/contents";

  private static final Duration LONG = Duration.ofMinutes(1);

  private final boolean similar;
  private final boolean vendor;

  /**
   * @param similar whether similar pages are switched on
   * @param vendor whether there is a search vendor
   */
  public SearchGate(boolean similar, boolean vendor) {
    this.similar = similar;
    this.vendor = vendor;
  }

  /** Whether what lies at a path can be had. */
  public boolean isOpen(String path) {
    return path.endsWith(SIMILAR) ? similar && vendor : vendor || path.endsWith(CONTENTS);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String path = request.getUriInfo().getPath();
    if (path.endsWith(SIMILAR) && !similar) {
      request.abortWith(of(ErrorCode.NOT_FOUND, "Similar pages are not available.").response());
    } else if (!path.endsWith(CONTENTS) && !vendor) {
      request.abortWith(
          of(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway has no search vendor.")
              .retryAfter(LONG)
              .response());
    }
  }

  private static ErrorAnswer of(ErrorCode code, String message) {
    return ErrorAnswer.shaped(code.status(), code.code(), message);
  }
}
