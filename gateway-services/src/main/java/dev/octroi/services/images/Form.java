package dev.octroi.services.images;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A multipart form under construction, as the vendor's protocol wants edits. For one thread. */
final class Form {

  private static final String LINE = "\r\n";

  private final String boundary = "octroi-" + UUID.randomUUID();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(64 * 1024);

  Form text(String name, Object value) {
    head("form-data; name=\"" + name + "\"", "text/plain; charset=utf-8");
    write(String.valueOf(value));
    write(LINE);
    return this;
  }

  Form png(String name, String file, byte[] bytes) {
    head("form-data; name=\"" + name + "\"; filename=\"" + file + "\"", "image/png");
    out.writeBytes(bytes);
    write(LINE);
    return this;
  }

  String mediaType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  byte[] bytes() {
    write("--" + boundary + "--" + LINE);
    return out.toByteArray();
  }

  private void head(String disposition, String type) {
    write("--" + boundary + LINE);
    write("Content-Disposition: " + disposition + LINE);
    write("Content-Type: " + type + LINE + LINE);
  }

  private void write(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
