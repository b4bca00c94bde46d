package dev.octroi.api.asset;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A file that is kept; its content never changes.
 *
 * @param id 32 hexadecimal digits, 128 random bits: who knows it may read the file
 * @param length in bytes
 * @param created whole seconds, as HTTP tells times
 * @param expires when it is gone, whole seconds
 */
public record Asset(String id, AssetType type, long length, Instant created, Instant expires) {

  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  public Asset {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("an asset's id is 32 hexadecimal digits");
    }
    if (length < 0) {
      throw new IllegalArgumentException("a length is 0 and up");
    }
  }

  /** The last segment of its address. */
  public String name() {
    return id + "." + type.extension();
  }

  boolean isGone(Instant now) {
    return !now.isBefore(expires);
  }
}
