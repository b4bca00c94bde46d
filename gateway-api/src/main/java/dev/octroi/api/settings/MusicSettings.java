package dev.octroi.api.settings;

import dev.octroi.services.music.MusicCatalogue;
import dev.octroi.services.music.MusicCatalogueFile;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Music, {@code gateway.music}. */
public record MusicSettings(
    @Setting(
            about =
                "A file with the music models that are sold, of the form that"
                    + " gateway-services/docs/music.md documents; the built-in catalogue where it"
                    + " is not set.")
        Optional<Path> catalogue,
    @Setting(about = "The music vendor's base address. Without it no music is sold.")
        Optional<URI> baseAddress,
    @Setting(about = "The key that the vendor gave you.") Secret credential,
    @Setting(
            about =
                "Where tracks lie: `kept` asks the vendor for the bytes and serves them from here"
                    + " (`gateway.assets`), `linked` passes the vendor's addresses on.",
            value = "kept")
        Tracks tracks,
    @Setting(about = "The format that the vendor is asked for.", value = "mp3") Format format,
    @Setting(
            about = "How long a track may take, if its payment lives that long; at most 290s.",
            value = "240s")
        Duration deadline,
    @Setting(about = "Tracks that are made at a time, on each node.", value = "32")
        @Min(1)
        @Max(4096)
        int atOnce,
    @Setting(
            about = "The largest answer of the vendor; bytes come as hexadecimal digits.",
            value = "32MiB")
        DataSize answer) {

  /** Where tracks lie. */
  public enum Tracks {
    KEPT,
    LINKED
  }

  /** What a track is written in. */
  public enum Format {
    MP3,
    WAV
  }

  public MusicSettings {
    if (deadline.toMillis() < 1_000 || deadline.toSeconds() > 290) {
      throw new IllegalArgumentException("deadline is 1s to 290s");
    }
    if (answer.bytes() < 1024 || answer.bytes() > 256L << 20) {
      throw new IllegalArgumentException("answer is 1KiB to 256MiB");
    }
  }

  /**
   * The models that are sold.
   *
   * @throws IllegalArgumentException if the file cannot be used
   */
  public MusicCatalogue models() {
    return catalogue.map(MusicCatalogueFile::read).orElseGet(MusicCatalogueFile::standard);
  }
}
