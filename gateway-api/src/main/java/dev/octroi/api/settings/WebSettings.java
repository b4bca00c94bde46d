package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Pages that the gateway fetches itself, {@code gateway.web}. */
public record WebSettings(
    @Setting(
            about =
                "Who serves `cryptodata/web/fetch`: `own` is the gateway itself, `upstream` the"
                    + " crypto-data vendor. Unset, the vendor where there is one.")
        Optional<Source> fetch,
    @Setting(about = "Ports that pages are fetched from.", value = "80,443") List<Integer> ports,
    @Setting(about = "How long one page may take, redirections included.", value = "15s")
        Duration deadline,
    @Setting(about = "The largest page, after decompression.", value = "2MiB") DataSize page,
    @Setting(about = "Redirections that are followed.", value = "5") @Min(0) @Max(20) int redirects,
    @Setting(about = "Pages that are fetched at a time.", value = "32") @Min(1) @Max(1024)
        int atOnce) {

  /** Who fetches. */
  public enum Source {
    OWN,
    UPSTREAM
  }

  public WebSettings {
    if (deadline.toMillis() < 100 || deadline.toMinutes() > 5) {
      throw new IllegalArgumentException("deadline is 100ms to 5min");
    }
    if (page.bytes() < 1024 || page.bytes() > 64L << 20) {
      throw new IllegalArgumentException("page is 1KiB to 64MiB");
    }
    if (ports.isEmpty() || ports.stream().anyMatch(port -> port < 1 || port > 65_535)) {
      throw new IllegalArgumentException("ports are 1 to 65535, at least one");
    }
  }

  /**
   * Whether the gateway serves {@code web/fetch} itself.
   *
   * @param vendor whether there is a crypto-data vendor
   */
  public boolean isOwn(boolean vendor) {
    return fetch.map(source -> source == Source.OWN).orElse(!vendor);
  }
}
