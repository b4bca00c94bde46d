package dev.octroi.api.docs;

import dev.octroi.api.docs.DocsGate.Documentation;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.limit.AddressRate;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Answers 404 where the documentation is switched off; else lets each address read it as often as
 * it may make unpaid calls: nothing here is paid for.
 */
@Documentation
public final class DocsGate implements ContainerRequestFilter {

  private final boolean enabled;
  private final AddressRate rate;

  /**
   * @param perMinute requests of each client address
   */
  public DocsGate(boolean enabled, int perMinute, Clock clock) {
    this.enabled = enabled;
    this.rate = new AddressRate(perMinute, clock);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!enabled) {
      request.abortWith(ErrorAnswer.flat(404, "There is no such path.").response());
      return;
    }
    Optional<Duration> wait = ClientAddress.of(JaxrsExchange.of(request)).flatMap(rate::count);
    wait.ifPresent(
        time ->
            request.abortWith(
                ErrorAnswer.flat(429, "Too many requests from this address.")
                    .retryAfter(time)
                    .response()));
  }

  /** Puts {@link DocsGate} before a resource. */
  @NameBinding
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface Documentation {}
}
