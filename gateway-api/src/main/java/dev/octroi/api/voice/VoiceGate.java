package dev.octroi.api.voice;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.services.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.time.Duration;

/** Says that no calls are placed here before the caller is asked to pay for one. */
@IfVoice
public final class VoiceGate implements ContainerRequestFilter {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final boolean open;

  /**
   * @param open whether there is a voice vendor, and one that leases the numbers to call from
   */
  public VoiceGate(boolean open) {
    this.open = open;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!open) {
      ErrorCode code = ErrorCode.UPSTREAM_UNAVAILABLE;
      request.abortWith(
          ErrorAnswer.shaped(code.status(), code.code(), "This gateway places no calls.")
              .retryAfter(LONG)
              .response());
    }
  }
}
