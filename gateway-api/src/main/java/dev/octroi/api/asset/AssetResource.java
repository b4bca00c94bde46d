package dev.octroi.api.asset;

import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Files that answers linked to: for any caller that knows the address, until they expire. */
@Path(Assets.PATH)
public class AssetResource {

  private static final int PARTIAL = 206;
  private static final int FAILED = 412;
  private static final int NO_SUCH_PART = 416;
  private static final String CONTENT_RANGE = "Content-Range";

  private final Assets assets;

  public AssetResource(@Context Providers providers) {
    assets = Mounted.of(providers, Assets.class);
  }

  @GET
  @Path("{name: [0-9a-f]{32}[.][a-z0-9]{2,5}}")
  @Free
  @Described(
      value = "A file",
      more = "Ranges and conditions are understood.",
      answerTypes = {"image/*", "audio/*", "application/octet-stream"})
  public Response read(@PathParam("name") String name, @Context HttpHeaders headers) {
    return assets
        .find(name)
        .map(asset -> answer(asset, new Conditions(headers, asset)))
        .orElseGet(() -> ErrorAnswer.flat(404, "There is no such file, or no more.").response());
  }

  private Response answer(Asset asset, Conditions conditions) {
    if (conditions.fail()) {
      return ErrorAnswer.flat(FAILED, "The file is another one.").response();
    }
    if (conditions.isKnown()) {
      return described(Response.notModified(), asset).build();
    }
    Optional<ByteRange> part = conditions.range();
    if (part.filter(ByteRange::isNone).isPresent()) {
      Response refused = ErrorAnswer.flat(NO_SUCH_PART, "The file is shorter.").response();
      return Response.fromResponse(refused)
          .header(CONTENT_RANGE, part.get().of(asset.length()))
          .build();
    }
    ByteRange sent = part.orElseGet(() -> new ByteRange(0, asset.length()));
    Response.ResponseBuilder response =
        Response.status(part.isPresent() ? PARTIAL : 200)
            .entity(bytes(asset, sent))
            .type(asset.type().mediaType())
            .header(HttpHeaders.CONTENT_LENGTH, sent.length())
            .header(HttpHeaders.CONTENT_DISPOSITION, "inline");
    part.ifPresent(range -> response.header(CONTENT_RANGE, range.of(asset.length())));
    return described(response, asset).build();
  }

  private Response.ResponseBuilder described(Response.ResponseBuilder response, Asset asset) {
    long rest = Math.max(0, assets.rest(asset).toSeconds());
    return response
        .header(HttpHeaders.ETAG, Conditions.tag(asset))
        .header(HttpHeaders.LAST_MODIFIED, Conditions.date(asset.created()))
        .header("Accept-Ranges", "bytes")
        .header(HttpHeaders.CACHE_CONTROL, "private, max-age=" + rest + ", immutable")
        .header("X-Content-Type-Options", "nosniff");
  }

  private StreamingOutput bytes(Asset asset, ByteRange range) {
    return out -> {
      try (InputStream in = assets.open(asset, range.from())) {
        new Part(in, range.length()).transferTo(out);
      }
    };
  }

  /**
   * What a request makes its answer depend on (RFC 9110, section 13). Judged here, because JAX-RS's
   * own judgement differs by implementation.
   */
  private record Conditions(HttpHeaders headers, Asset asset) {

    private static final DateTimeFormatter IMF_FIXDATE =
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String IF_RANGE = "If-Range";
    private static final String WEAK = "W/";

    /** A time in the form of HTTP's headers (RFC 9110, section 5.6.7). */
    static String date(Instant time) {
      return IMF_FIXDATE.format(time);
    }

    /** The strong tag: what an id stands for never changes. */
    static String tag(Asset asset) {
      return '"' + asset.id() + '"';
    }

    /** Whether the caller wants another version than there is. */
    boolean fail() {
      Optional<String> tags = header(HttpHeaders.IF_MATCH);
      return tags.isPresent()
          ? !lists(tags.get(), false)
          : date(HttpHeaders.IF_UNMODIFIED_SINCE).filter(asset.created()::isAfter).isPresent();
    }

    /** Whether the caller has it already. */
    boolean isKnown() {
      Optional<String> tags = header(HttpHeaders.IF_NONE_MATCH);
      return tags.isPresent()
          ? lists(tags.get(), true)
          : date(HttpHeaders.IF_MODIFIED_SINCE)
              .filter(since -> !asset.created().isAfter(since))
              .isPresent();
    }

    /** The part that is asked for, if the caller's other parts are of this version. */
    Optional<ByteRange> range() {
      boolean same =
          header(IF_RANGE)
              .map(
                  version ->
                      version.equals(tag(asset))
                          || date(IF_RANGE).filter(asset.created()::equals).isPresent())
              .orElse(true);
      return same
          ? ByteRange.of(headers.getHeaderString("Range"), asset.length())
          : Optional.empty();
    }

    private boolean lists(String tags, boolean weakly) {
      return Arrays.stream(tags.split(",", -1))
          .map(String::strip)
          .map(tag -> weakly && tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag)
          .anyMatch(tag -> tag.equals("*") || tag.equals(tag(asset)));
    }

    private Optional<String> header(String name) {
      return Optional.ofNullable(headers.getHeaderString(name)).map(String::strip);
    }

    private Optional<Instant> date(String name) {
      return header(name).flatMap(Conditions::instant);
    }

    private static Optional<Instant> instant(String text) {
      try {
        return Optional.of(
            ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      } catch (DateTimeException e) {
        // What is no date is no condition.
        return Optional.empty();
      }
    }
  }

  /**
   * A part of a file (RFC 9110, section 14).
   *
   * @param from first byte
   * @param length 1 and up; 0 if there is no such part
   */
  record ByteRange(long from, long length) {

    /** What is read is not given back: else a header of blanks would take their number squared. */
    private static final Pattern SINGLE =
        Pattern.compile("bytes=\\s*+([0-9]{0,18}+)\\s*+-\\s*+([0-9]{0,18}+)\\s*+");

    private static final ByteRange NONE = new ByteRange(0, 0);

    /**
     * What a {@code Range} header asks for.
     *
     * @return empty if the whole is to be sent: no header, several ranges, or not understood
     */
    static Optional<ByteRange> of(@Nullable String header, long whole) {
      Matcher asked = header == null ? null : SINGLE.matcher(header);
      if (asked == null || !asked.matches()) {
        return Optional.empty();
      }
      String first = asked.group(1);
      String last = asked.group(2);
      if (first.isEmpty()) {
        return last.isEmpty() ? Optional.empty() : Optional.of(tail(Long.parseLong(last), whole));
      }
      long from = Long.parseLong(first);
      long to = last.isEmpty() ? whole - 1 : Math.min(Long.parseLong(last), whole - 1);
      if (!last.isEmpty() && Long.parseLong(last) < from) {
        return Optional.empty();
      }
      return Optional.of(from < whole ? new ByteRange(from, to - from + 1) : NONE);
    }

    private static ByteRange tail(long bytes, long whole) {
      long length = Math.min(bytes, whole);
      return new ByteRange(whole - length, length);
    }

    boolean isNone() {
      return length == 0;
    }

    /** The value of {@code Content-Range}. */
    String of(long whole) {
      return isNone()
          ? "bytes */" + whole
          : "bytes " + from + "-" + (from + length - 1) + "/" + whole;
    }
  }
}
