package dev.octroi.api.http;

import dev.octroi.payments.Exchange;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may use what only this machine should: pages at this gateway's own hosts, and
 * those that the operator lists. A page gives itself away by its origin; one whose name was made to
 * lead here (DNS rebinding) by the host that its requests name. What is no browser may name any
 * origin, and gains nothing by it. Immutable.
 *
 * @param hosts this gateway's own
 * @param origins the listed ones; {@code *} for all
 */
public record PageRule(OwnHosts hosts, List<String> origins) {

  private static final String ANY = "*";

  public PageRule {
    origins = List.copyOf(origins);
  }

  /** What is wrong with a request. */
  public enum Refusal {
    HOST,
    PAGE
  }

  /** Whether every page may. */
  public boolean isOpen() {
    return origins.contains(ANY);
  }

  /**
   * Whether a page may.
   *
   * @param origin the header; null from whatever is no page
   */
  public boolean allows(@Nullable String origin) {
    return origin == null
        || isOpen()
        || origins.stream().anyMatch(origin::equalsIgnoreCase)
        || hosts.isOwnPage(origin);
  }

  /**
   * Judges a request by what its browser says of it.
   *
   * @param host the one that the request names
   * @param headers tells a header of it; null if it is not there
   */
  public Optional<Refusal> refusal(String host, Function<String, @Nullable String> headers) {
    if (isOpen()) {
      return Optional.empty();
    }
    if (!hosts.contains(host)) {
      return Optional.of(Refusal.HOST);
    }
    String origin = headers.apply("Origin");
    boolean served = origin == null ? isHarmless(headers) : allows(origin);
    return served ? Optional.empty() : Optional.of(Refusal.PAGE);
  }

  /** Judges a request by the host that it names itself. */
  public Optional<Refusal> refusal(Exchange request) {
    String host = request.header("Host");
    String named = host == null ? request.address().getRawAuthority() : host;
    return refusal(Objects.requireNonNullElse(named, ""), request::header);
  }

  /**
   * Browsers state no origin where a page embeds something or leads to it. What a person visits may
   * come from anywhere: the page before it reads nothing of it.
   */
  private boolean isHarmless(Function<String, @Nullable String> headers) {
    if (!"cross-site".equals(headers.apply("Sec-Fetch-Site"))) {
      return true;
    }
    boolean visited =
        "navigate".equals(headers.apply("Sec-Fetch-Mode"))
            && "document".equals(headers.apply("Sec-Fetch-Dest"));
    return visited || origin(headers.apply("Referer")).filter(this::allows).isPresent();
  }

  private static Optional<String> origin(@Nullable String address) {
    try {
      return Optional.ofNullable(address)
          .map(URI::create)
          .filter(page -> page.getRawAuthority() != null)
          .map(page -> page.getScheme() + "://" + page.getRawAuthority());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
