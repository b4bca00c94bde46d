package dev.octroi.payments.x402;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes the resources of paid methods in their challenges.
 *
 * <p>Implementations are thread-safe and do no I/O; they are asked for every challenge.
 */
@FunctionalInterface
public interface Descriptions {

  /** Tells addresses only. */
  Descriptions NONE = (method, path) -> Description.NONE;

  /**
   * What there is to say of a resource.
   *
   * @param method the HTTP method, in upper case
   * @param path the path below the application, as {@link dev.octroi.payments.PricedRequest#path}
   *     has it
   */
  Description of(String method, String path);

  /**
   * What a challenge says of its resource, beside the address.
   *
   * @param about a sentence for people
   * @param mimeType the media type of the answer
   * @param serviceName whose resource it is, 1 to 32 printable ASCII characters
   * @param tags at most 5, each like a service name
   * @param extensions further members of {@code extensions}, for the body alone: a header has no
   *     room for schemas (decisions, size of the challenge header)
   */
  record Description(
      @Nullable String about,
      @Nullable String mimeType,
      @Nullable String serviceName,
      List<String> tags,
      Extensions extensions) {

    /** Nothing. */
    public static final Description NONE =
        new Description(null, null, null, List.of(), Extensions.NONE);

    public Description {
      tags = List.copyOf(tags);
    }
  }
}
