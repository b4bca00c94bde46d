package dev.octroi.api.settings;

import dev.octroi.services.images.ImageCatalogue;
import dev.octroi.services.images.ImageCatalogueFile;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Images, {@code gateway.images}. */
public record ImageSettings(
    @Setting(
            about =
                "A file with the image models that are sold, of the form that"
                    + " gateway-services/docs/images.md documents; the built-in catalogue where it"
                    + " is not set.")
        Optional<Path> catalogue,
    @Setting(
            about =
                "The base address of an upstream, by the name that the catalogue gives it. Models"
                    + " of upstreams without an address are not served.")
        Map<String, URI> upstreams,
    @Setting(about = "The key that an upstream's vendor gave you, by the same name.")
        Map<String, Secret> credentials,
    @Setting(
            about = "How long a call waits for its pictures before it becomes a job.",
            value = "30s")
        Duration fastPath,
    @Setting(about = "How long drawing may take in all.", value = "240s") Duration deadline,
    @Setting(about = "How long an edit may take; its call waits.", value = "120s")
        Duration editDeadline,
    @Setting(about = "How long after its order a job may be asked for.", value = "48h")
        Duration retention,
    @Setting(
            about = "Jobs of an account or a payer that are not paid for yet at most.",
            value = "4")
        @Min(1)
        @Max(100)
        int jobsPerOwner,
    @Setting(about = "Drawings under way at a time, on each node.", value = "64") @Min(1) @Max(4096)
        int atOnce,
    @Setting(
            about = "Edits under way at a time, on each node; their pictures are in memory.",
            value = "16")
        @Min(1)
        @Max(1024)
        int editsAtOnce,
    @Setting(about = "How often jobs of nodes that died are looked for.", value = "2s")
        Duration takeover,
    @Setting(about = "The largest body of an edit.", value = "24MiB") DataSize editBody,
    @Setting(about = "The largest answer of an upstream.", value = "64MiB") DataSize answer) {

  public ImageSettings {
    if (takeover.toMillis() < 100) {
      throw new IllegalArgumentException("takeover is at least 100ms");
    }
    if (fastPath.isNegative() || deadline.isNegative() || editDeadline.isNegative()) {
      throw new IllegalArgumentException("times are not negative");
    }
  }

  /**
   * The models that are sold.
   *
   * @throws IllegalArgumentException if the file cannot be used
   */
  public ImageCatalogue models() {
    return catalogue.map(ImageCatalogueFile::read).orElseGet(ImageCatalogueFile::standard);
  }
}
