package dev.octroi.payments.flow;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Payment;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An answer whose bytes are there before it is decided about. Used by one thread. */
final class WholeAnswer implements OutgoingAnswer {

  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private int status;
  private byte[] body;

  WholeAnswer(HttpAnswer made) {
    headers.putAll(made.headers());
    PaymentHeaders.OF_ANSWERS.forEach(headers::remove);
    status = made.status();
    body = made.body();
  }

  /** What leaves. */
  HttpAnswer leaving() {
    Payment.MARKS.forEach(headers::remove);
    return new HttpAnswer(status, headers, body);
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  @Override
  public void header(String name, String value) {
    headers.put(name, value);
  }

  @Override
  public boolean isStream() {
    return false;
  }

  @Override
  public boolean isEmpty() {
    return body.length == 0;
  }

  @Override
  public byte[] freeze(int limit, LongConsumer room) throws IOException {
    if (body.length > limit) {
      throw new IOException("the answer is longer than " + limit + " bytes");
    }
    room.accept(body.length);
    return body;
  }

  @Override
  public void body(byte[] instead) {
    body = instead;
  }

  @Override
  public void replace(HttpAnswer instead) {
    ENTITY_HEADERS.forEach(headers::remove);
    headers.putAll(instead.headers());
    status = instead.status();
    body = instead.body();
  }

  @Override
  public void stream(Runnable firstByte, Runnable unbegun, Runnable end) {
    throw new IllegalStateException("the answer is no stream");
  }
}
