package dev.octroi.api.group;

import dev.octroi.api.settings.VendorSettings;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import java.util.Optional;
import java.util.function.Function;

/**
 * A vendor that a group asks, as the settings have it.
 *
 * @param setting the settings that say where it is, such as {@code gateway.upstream.phone}
 * @param address the setting of its address
 * @param settings how it is called
 * @param isCalled whether calls go there; not without what its settings lack besides
 */
public record Upstream(
    String setting, String address, UpstreamSettings settings, boolean isCalled) {

  private static final String VENDOR_KEY_HEADER = "x-api-key";

  /** One whose address is {@code <setting>.base-address}. */
  public static Upstream of(String setting, UpstreamSettings settings) {
    return new Upstream(setting, setting + ".base-address", settings, true);
  }

  /**
   * A vendor of {@code gateway.upstream.<word>}; empty without an address.
   *
   * @param name what figures call it
   * @param words how it names venues
   * @param form where it wants its key
   */
  public static Optional<Upstream> vendor(
      String word,
      String name,
      VendorSettings vendor,
      VenueWords words,
      Function<String, Credential> form) {
    String secret = vendor.credential().value();
    return vendor
        .baseAddress()
        .map(
            address ->
                of(
                    "gateway.upstream." + word,
                    UpstreamSettings.of(name, address)
                        .with(words)
                        .with(secret.isEmpty() ? Credential.none() : form.apply(secret))
                        .withDeadline(vendor.deadline())
                        .withMaxConnections(vendor.connections())
                        .withRetries(vendor.retries())));
  }

  /** A key in a header that several vendors want it in. */
  public static Credential keyHeader(String secret) {
    return Credential.header(VENDOR_KEY_HEADER, secret);
  }

  /** What is said where a vendor has no address. */
  public static String missing(String word) {
    return "gateway.upstream."
        + word
        + ".base-address is not set; gateway.profile=live has the vendor's, gateway.sandbox.url the"
        + " sandbox's";
  }
}
