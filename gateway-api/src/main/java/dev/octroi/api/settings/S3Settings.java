package dev.octroi.api.settings;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.Optional;

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

  /** The store's address. */
  public URI address() {
    return endpoint.orElseGet(() -> URI.create("https://s3." + region + ".amazonaws.com"));
  }
}
