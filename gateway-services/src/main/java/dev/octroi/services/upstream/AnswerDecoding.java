package dev.octroi.services.upstream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.octroi.services.upstream.Exchange.AnswerTooLarge;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

/** From an HTTP response to an answer that can be relied on. */
final class AnswerDecoding {

  private static final String IDENTITY = "identity";
  private static final int NO_CONTENT = 204;
  private static final int MOST_WORDS = 10_000;

  /** Of a member that is told twice, two readers could take different ones. */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private AnswerDecoding() {}

  /**
   * The answer, decompressed and, where it is a success, checked to be one JSON value.
   *
   * @param secrets that no error repeats afterwards
   * @throws dev.octroi.services.Failure 502 for an answer that its contract excludes
   */
  static UpstreamAnswer decoded(
      HttpResponse<byte[]> response, int limit, UnaryOperator<byte[]> secrets) {
    int status = response.statusCode();
    checkStatus(status);
    try {
      Map<String, String> headers = headers(response.headers());
      byte[] body =
          inflated(response.body(), headers.getOrDefault("content-encoding", IDENTITY), limit);
      if (status < 300 && status != NO_CONTENT) {
        checkJson(headers.getOrDefault("content-type", "application/json"), body);
      }
      return new UpstreamAnswer(status, headers, status < 400 ? body : secrets.apply(body));
    } catch (IOException malformed) {
      throw Failures.unreadable(malformed);
    }
  }

  /** What an answer says that cannot be relied on; empty where that cannot be read. */
  static String words(HttpResponse<byte[]> response, UnaryOperator<byte[]> secrets) {
    try {
      String encoding = response.headers().firstValue("content-encoding").orElse(IDENTITY);
      byte[] words = inflated(response.body(), encoding, MOST_WORDS);
      return new String(secrets.apply(words), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "";
    }
  }

  /** Refuses what is neither an answer nor an error that a caller could cause. */
  static void checkStatus(int status) {
    if (status < 200 || (status >= 300 && status < 400)) {
      throw Failures.unreadable(new IOException("an answer of this status"));
    }
    if (status == 401 || status == 402 || status == 403 || status == 407) {
      throw Failures.refused();
    }
  }

  static Map<String, String> headers(HttpHeaders all) {
    Map<String, String> first = new HashMap<>();
    all.map().forEach((name, values) -> first.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    return Map.copyOf(first);
  }

  private static byte[] inflated(byte[] body, String encoding, int limit) throws IOException {
    if (encoding.equalsIgnoreCase(IDENTITY)) {
      return body;
    }
    if (!encoding.equalsIgnoreCase("gzip")) {
      throw new IOException("unknown content encoding");
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      byte[] plain = in.readNBytes(limit);
      if (in.read() >= 0) {
        throw new AnswerTooLarge(limit);
      }
      return plain;
    }
  }

  private static void checkJson(String contentType, byte[] body) throws IOException {
    String type = contentType.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
    if (!type.equals("application/json") && !type.endsWith("+json")) {
      throw new IOException("not JSON");
    }
    if (!UpstreamAnswer.isUtf8(body)) {
      throw new IOException("not UTF-8");
    }
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() == null) {
        throw new IOException("empty answer");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new IOException("more than one JSON value");
      }
    }
  }
}
