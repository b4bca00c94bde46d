package dev.octroi.api.phone;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.services.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.time.Duration;

/** Says that something has no vendor here before anybody is asked to pay for it. */
@IfSold
public final class PhoneGate implements ContainerRequestFilter {

  private static final String LOOKUPS = "/phone/lookup";
  private static final String PURCHASES = "/numbers/buy";
  private static final Duration LONG = Duration.ofMinutes(1);

  private final PhoneVendors vendors;

  public PhoneGate(PhoneVendors vendors) {
    this.vendors = vendors;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String path = request.getUriInfo().getPath();
    boolean missing =
        (path.contains(LOOKUPS) && vendors.lookups().isEmpty())
            || (path.endsWith(PURCHASES) && vendors.numbers().isEmpty());
    if (missing) {
      ErrorCode code = ErrorCode.UPSTREAM_UNAVAILABLE;
      request.abortWith(
          ErrorAnswer.shaped(code.status(), code.code(), "This gateway has no vendor for that.")
              .retryAfter(LONG)
              .response());
    }
  }
}
