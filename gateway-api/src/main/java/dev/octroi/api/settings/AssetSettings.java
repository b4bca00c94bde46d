package dev.octroi.api.settings;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Files that answers link to, {@code gateway.assets}. */
public record AssetSettings(
    @Setting(
            about =
                "Where they are kept: `database` is the ledger's, `files` a directory that all"
                    + " nodes share, `s3` a bucket of an S3-compatible store.",
            value = "database")
        Store store,
    @Setting(about = "The directory of `files`, made if it is not there.") Optional<Path> directory,
    @Setting(about = "The bucket of `s3`.") S3Settings s3,
    @Setting(
            about =
                "How long each is kept and served, 1min to 720h. A picture's job can be asked for"
                    + " 48h.",
            value = "48h")
        Duration keep,
    @Setting(about = "The largest file, at most 256MiB.", value = "64MiB") DataSize maxSize) {

  private static final Duration LONGEST = Duration.ofDays(30);
  private static final long LARGEST = 256L << 20;

  /** Where files are kept. */
  public enum Store {
    DATABASE,
    FILES,
    S3
  }

  public AssetSettings {
    if (keep.toSeconds() < 60 || keep.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("keep is 1min to 720h");
    }
    if (maxSize.bytes() < 1024 || maxSize.bytes() > LARGEST) {
      throw new IllegalArgumentException("max-size is 1KiB to 256MiB");
    }
    if (store == Store.FILES && directory.isEmpty()) {
      throw new IllegalArgumentException("directory is required where store is files");
    }
    if (store == Store.S3 && s3.bucket().isEmpty()) {
      throw new IllegalArgumentException("s3.bucket is required where store is s3");
    }
  }

  /** A bucket of an S3-compatible store, {@code gateway.assets.s3}. */
  public record S3Settings(
      @Setting(about = "The store's address; unset, the public one of the region.")
          Optional<URI> endpoint,
      @Setting(about = "The store's region.", value = "us-east-1") @NotBlank String region,
      @Setting(about = "The bucket, which is there already.") Optional<String> bucket,
      @Setting(about = "What all keys begin with.", value = "octroi/assets/")
          @Pattern(regexp = "[A-Za-z0-9._/-]{0,200}", message = "is a path of plain letters")
          String prefix,
      @Setting(about = "The access key.") Secret accessKey,
      @Setting(about = "The secret key.") Secret secretKey) {

    public S3Settings {
      if (bucket.filter(name -> !name.matches("[A-Za-z0-9._-]{1,255}")).isPresent()) {
        throw new IllegalArgumentException("bucket is a name of letters, digits, '.', '_' and '-'");
      }
    }

    /** The store's address. */
    public URI address() {
      return endpoint.orElseGet(() -> URI.create("https://s3." + region + ".amazonaws.com"));
    }
  }
}
