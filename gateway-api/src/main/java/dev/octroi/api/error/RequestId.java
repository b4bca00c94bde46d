package dev.octroi.api.error;

import dev.octroi.payments.Exchange;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The id of a request, by which callers and operators speak of it. */
public final class RequestId {

  public static final String HEADER = "X-Request-Id";

  private static final String PROPERTY = "dev.octroi.api.request-id";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private RequestId() {}

  /** The caller's own, if it is a plain word; the same whenever it is asked. */
  public static String of(Exchange request) {
    if (request.property(PROPERTY) instanceof String known) {
      return known;
    }
    String id = id(request);
    request.property(PROPERTY, id);
    return id;
  }

  private static String id(Exchange request) {
    String given = request.header(HEADER);
    return given != null && PLAIN.matcher(given).matches()
        ? given
        : HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
