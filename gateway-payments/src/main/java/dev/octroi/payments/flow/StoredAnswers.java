package dev.octroi.payments.flow;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.ledger.StoredAnswer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers as they are kept for a payer who was charged and may ask again. */
public final class StoredAnswers {

  /** What describes the entity itself; the node that answers makes all else anew. */
  public static final List<String> ENTITY_HEADERS =
      List.of(
          "Content-Type",
          "Content-Encoding",
          "Content-Language",
          "Content-Location",
          "Content-Range",
          "Content-Disposition",
          "ETag",
          "Last-Modified",
          "Location",
          "Link");

  private StoredAnswers() {}

  /** The answer as it will leave. */
  static StoredAnswer stored(OutgoingAnswer answer, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : ENTITY_HEADERS) {
      String value = answer.header(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return new StoredAnswer(answer.status(), headers, body);
  }

  /** A stored answer, once more. */
  static HttpAnswer restored(StoredAnswer answer) {
    Map<String, String> headers = new LinkedHashMap<>(answer.headers());
    if (answer.body().length > 0) {
      headers.putIfAbsent("Content-Type", "application/octet-stream");
    }
    return new HttpAnswer(answer.status(), headers, answer.body());
  }
}
