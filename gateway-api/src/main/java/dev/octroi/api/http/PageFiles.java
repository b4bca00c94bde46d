package dev.octroi.api.http;

import dev.octroi.payments.Sha256;
import dev.octroi.services.JarResource;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Serves a page for people and the files that it names, from the jar: a closed list, each read when
 * it is first asked for, and kept. Thread-safe.
 */
public final class PageFiles {

  private final Class<?> beside;
  private final String policy;
  private final String page;
  private final Map<String, String> files;
  private final Map<String, PageFile> read = new ConcurrentHashMap<>();

  /**
   * @param beside the class beside which the files lie
   * @param policy the content security policy that they are sent with
   * @param files what the page names, with the folder where it lies in one
   */
  public PageFiles(Class<?> beside, String policy, String page, Collection<String> files) {
    this.beside = beside;
    this.policy = policy;
    this.page = page;
    this.files =
        files.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    file -> file.substring(file.lastIndexOf('/') + 1), Function.identity()));
  }

  /** The page, or 304 where the caller has it. */
  public Response.ResponseBuilder page(HttpHeaders headers) {
    return answer(page, headers);
  }

  /** What the page names, or 304 where the caller has it; empty for everything else. */
  public Optional<Response.ResponseBuilder> file(String name, HttpHeaders headers) {
    return Optional.ofNullable(files.get(name)).map(file -> answer(file, headers));
  }

  private Response.ResponseBuilder answer(String name, HttpHeaders headers) {
    PageFile file = read.computeIfAbsent(name, one -> PageFile.read(beside, one));
    Response.ResponseBuilder response =
        file.isKnown(headers)
            ? Response.notModified()
            : Response.ok(file.bytes()).header(HttpHeaders.CONTENT_TYPE, file.type());
    return response
        .header(HttpHeaders.ETAG, file.tag())
        // Asked for again each time, so that the files of one version are never mixed with
        // another's.
        .header(HttpHeaders.CACHE_CONTROL, "no-cache")
        .header("Content-Security-Policy", policy)
        .header("Referrer-Policy", "no-referrer");
  }

  /**
   * A file as it is sent.
   *
   * @param type its media type
   * @param tag a weak tag of its bytes: they may be sent compressed
   */
  private record PageFile(byte[] bytes, String type, String tag) {

    private static final int TAG_BYTES = 12;

    static PageFile read(Class<?> beside, String name) {
      byte[] bytes = JarResource.bytes(beside, name);
      byte[] start = Arrays.copyOf(Sha256.of(bytes), TAG_BYTES);
      return new PageFile(bytes, type(name), "W/\"" + HexFormat.of().formatHex(start) + '"');
    }

    private static String type(String name) {
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "html" -> "text/html; charset=utf-8";
        case "css" -> "text/css; charset=utf-8";
        case "js" -> "text/javascript; charset=utf-8";
        case "svg" -> "image/svg+xml";
        case "txt" -> "text/plain; charset=utf-8";
        default -> throw new IllegalArgumentException(name);
      };
    }

    private boolean isKnown(HttpHeaders headers) {
      String known = headers.getHeaderString(HttpHeaders.IF_NONE_MATCH);
      return known != null
          && Arrays.stream(known.split(",", -1)).map(String::strip).anyMatch(tag::equals);
    }
  }
}
