package dev.octroi.api.group;

import dev.octroi.payments.Exchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.ext.InterceptorContext;
import java.util.Optional;

/** What a request is addressed to, noted where paths are judged for everything that runs later. */
public final class Addressed {

  private static final String OURS = "dev.octroi.api.ours";
  private static final String GROUP = "dev.octroi.api.group";

  private Addressed() {}

  /**
   * Notes that a request is the gateway's, and the group that its canonical path belongs to, if
   * any.
   */
  public static void note(Exchange request, Optional<Group> group) {
    request.property(OURS, true);
    group.ifPresent(one -> request.property(GROUP, one));
  }

  /** Notes that a request is the gateway's without being addressed to a group. */
  public static void noteOurs(Exchange request) {
    request.property(OURS, true);
  }

  /** Whether the request is the gateway's and not its host's. */
  public static boolean isOurs(ContainerRequestContext request) {
    return request.getProperty(OURS) != null;
  }

  /** The same, whatever container received the request. */
  public static boolean isOurs(Exchange request) {
    return request.property(OURS) != null;
  }

  /** The same, of a request whose answer is being written. */
  public static boolean isOurs(InterceptorContext writing) {
    return writing.getProperty(OURS) != null;
  }

  /** The group that the path belongs to, whether or not a resource is there. */
  public static Optional<Group> group(Exchange request) {
    return Optional.ofNullable((Group) request.property(GROUP));
  }
}
