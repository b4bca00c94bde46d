package dev.octroi.api.phone;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.services.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.time.Duration;

/** Says that something has no vendor here before the caller is asked to pay for it. */
@IfSold
public final class PhoneGate implements ContainerRequestFilter {

  private static final String LOOKUPS = "/phone/lookup";
  private static final String PURCHASES = "/numbers/buy";
  private static final String NUMBERS = "/phone/numbers/";
  private static final String TEXTS = "/sms/send";
  private static final Duration LONG = Duration.ofMinutes(1);

  private final PhoneVendors vendors;

  public PhoneGate(PhoneVendors vendors) {
    this.vendors = vendors;
  }

  /**
   * Whether what lies at a path is worth telling of: more than what the gate lets pass, which is
   * also what says itself that it has no vendor, and what those need who have a number already.
   */
  public boolean isOpen(String path) {
    return !isMissing(path)
        && !(path.contains(NUMBERS) && vendors.numbers().isEmpty())
        && !(path.endsWith(TEXTS) && vendors.messages().isEmpty());
  }

  private boolean isMissing(String path) {
    return (path.contains(LOOKUPS) && vendors.lookups().isEmpty())
        || (path.endsWith(PURCHASES) && vendors.numbers().isEmpty());
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (isMissing(request.getUriInfo().getPath())) {
      ErrorCode code = ErrorCode.UPSTREAM_UNAVAILABLE;
      request.abortWith(
          ErrorAnswer.shaped(code.status(), code.code(), "This gateway has no vendor for that.")
              .retryAfter(LONG)
              .response());
    }
  }
}
