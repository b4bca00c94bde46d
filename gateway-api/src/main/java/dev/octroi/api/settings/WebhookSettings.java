package dev.octroi.api.settings;

import dev.octroi.services.web.WebAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Where events are sent to, {@code gateway.webhooks.<word>}. */
public record WebhookSettings(
    @Setting(
            about =
                "The address that events are posted to, with a query if it needs one; redirects are"
                    + " not followed.")
        Secret url,
    @Setting(
            about =
                "What they are signed with (Standard Webhooks): `whsec_` and 24 to 64 random bytes"
                    + " in base64. To change it, the new one and the old one, separated by a comma:"
                    + " both sign.")
        Secret secret,
    @Setting(
            about =
                "The types of events that are sent, comma-separated: `payment.settled`,"
                    + " `payment.refunded`, `payment.in_doubt`, `payment.failed`,"
                    + " `lease.expiring`, `job.done`, `budget.nearly_used`; `*` for all.",
            value = "*")
        List<String> events,
    @Setting(
            about =
                "Whether the address may lie in a private network or on this machine; only public"
                    + " addresses are connected to otherwise.",
            value = "false")
        boolean privateNetwork) {

  /** What events are of. */
  public enum EventType {
    PAYMENT_SETTLED,
    PAYMENT_REFUNDED,
    PAYMENT_IN_DOUBT,
    PAYMENT_FAILED,
    LEASE_EXPIRING,
    JOB_DONE,
    BUDGET_NEARLY_USED;

    /** As settings and events have it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replaceFirst("_", ".");
    }
  }

  private static final String ALL = "*";
  private static final String PREFIX = "whsec_";
  private static final int FEWEST_BYTES = 24;
  private static final int MOST_BYTES = 64;

  public WebhookSettings {
    if (WebAddress.of(url.value()).isEmpty()) {
      throw new IllegalArgumentException(
          "url is an address of http or https, without user: https://host/path?query");
    }
    if (secrets(secret.value()).stream().anyMatch(key -> !isLongEnough(key))) {
      throw new IllegalArgumentException("secret is whsec_ and 24 to 64 bytes in base64");
    }
    Set<String> known =
        Arrays.stream(EventType.values()).map(EventType::word).collect(Collectors.toSet());
    if (events.isEmpty() || !(known.containsAll(events) || events.equals(List.of(ALL)))) {
      throw new IllegalArgumentException(
          "events are * or of " + known.stream().sorted().collect(Collectors.joining(", ")));
    }
  }

  /** Where events are posted to. */
  public WebAddress address() {
    return WebAddress.of(url.value()).orElseThrow();
  }

  /** The address for people to see: its path and its query may be secrets. */
  public String shownAddress() {
    URI uri = address().uri();
    return uri.getScheme() + "://" + uri.getRawAuthority() + "/****";
  }

  /** The types that are sent. */
  public Set<String> types() {
    return Arrays.stream(EventType.values())
        .map(EventType::word)
        .filter(word -> events.contains(word) || events.contains(ALL))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What events are signed with; each signs. */
  public List<byte[]> keys() {
    return secrets(secret.value());
  }

  private static List<byte[]> secrets(String text) {
    return Arrays.stream(text.split(",", -1)).map(one -> secret(one.strip())).toList();
  }

  /** Empty if it is none. */
  private static byte[] secret(String text) {
    try {
      return text.startsWith(PREFIX)
          ? Base64.getDecoder().decode(text.substring(PREFIX.length()))
          : new byte[0];
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static boolean isLongEnough(byte[] key) {
    return key.length >= FEWEST_BYTES && key.length <= MOST_BYTES;
  }
}
