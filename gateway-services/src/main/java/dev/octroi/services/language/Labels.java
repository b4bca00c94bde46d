package dev.octroi.services.language;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller attaches to a prompt for its own books; the model never sees it.
 *
 * @param user an opaque name of the person behind the caller, for the upstream's abuse tracking
 */
public record Labels(@Nullable String user, Map<String, String> metadata) {

  public static final Labels NONE = new Labels(null, Map.of());

  public Labels {
    metadata = Map.copyOf(metadata);
  }
}
