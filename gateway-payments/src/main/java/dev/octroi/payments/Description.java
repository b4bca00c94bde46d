package dev.octroi.payments;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a challenge says of its resource, beside the address.
 *
 * @param about a sentence for people
 * @param mimeType the media type of the answer
 * @param serviceName whose resource it is, 1 to 32 printable ASCII characters
 * @param tags at most 5, each like a service name
 * @param extensions further members of {@code extensions}, by their names, for the body alone: a
 *     header has no room for schemas (decisions, size of the challenge header). They are written
 *     for every challenge, so that what is always the same is best encoded before, in ASCII
 */
public record Description(
    @Nullable String about,
    @Nullable String mimeType,
    @Nullable String serviceName,
    List<String> tags,
    Map<String, Object> extensions) {

  /** Nothing. */
  public static final Description NONE = new Description(null, null, null, List.of(), Map.of());

  public Description {
    tags = List.copyOf(tags);
    extensions = Map.copyOf(extensions);
  }
}
