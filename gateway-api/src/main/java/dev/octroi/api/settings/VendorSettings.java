package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** One vendor, {@code gateway.upstream.<group>}. */
public record VendorSettings(
    @Setting(
            about =
                "The vendor's base address. The reference deployment starts its sandbox where it is"
                    + " not set; elsewhere what needs the vendor is not sold.")
        Optional<URI> baseAddress,
    @Setting(about = "The key that the vendor gave you.") Secret credential,
    @Setting(about = "How long the vendor may take for one call, retries included.", value = "20s")
        Duration deadline,
    @Setting(about = "Connections to the vendor at most.", value = "64") @Min(1) @Max(4096)
        int connections,
    @Setting(about = "Further attempts of a read that got no answer.", value = "2") @Min(0) @Max(3)
        int retries,
    @Setting(
            about =
                "`mapped` makes the records that the specification states; `upstream` passes every"
                    + " body through.",
            value = "mapped")
        RecordForm records) {

  /** What becomes of the bodies for which the specification states a record. */
  public enum RecordForm {
    MAPPED,
    UPSTREAM
  }

  public VendorSettings {
    if (deadline.toMillis() < 100 || deadline.toMinutes() > 5) {
      throw new IllegalArgumentException("deadline is 100ms to 5min");
    }
  }
}
