package dev.octroi.sandbox.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.util.Blocker;

/**
 * A body that may be a form, as an object: texts, files as binary values, lists of what comes more
 * than once.
 */
public final class FormBody {

  private static final String MULTIPART = "multipart/form-data";
  private static final String URL_ENCODED = "application/x-www-form-urlencoded";

  private final String contentType;
  private final byte[] body;

  private FormBody(String contentType, byte[] body) {
    this.contentType = contentType;
    this.body = body;
  }

  /**
   * The body of a request.
   *
   * @param headers by lower-case name
   */
  public static FormBody of(Map<String, String> headers, byte[] body) {
    return new FormBody(headers.getOrDefault("content-type", ""), body);
  }

  /** The media type without its parameters, empty where there is none. */
  String mediaType() {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  /** Whether it is a form at all. */
  public boolean isForm() {
    return mediaType().equals(MULTIPART) || mediaType().equals(URL_ENCODED);
  }

  /**
   * The fields by name.
   *
   * @throws IOException if it cannot be read
   */
  public ObjectNode members() throws IOException {
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    try {
      if (mediaType().equals(MULTIPART)) {
        parts(members);
      } else {
        pairs(members);
      }
    } catch (RuntimeException malformed) {
      throw new IOException("Not a form", malformed);
    }
    return members;
  }

  private void pairs(ObjectNode members) {
    for (String pair : new String(body, StandardCharsets.UTF_8).split("&")) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!name.isEmpty()) {
        add(members, decoded(name), TextNode.valueOf(decoded(value)));
      }
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private void parts(ObjectNode members) throws IOException {
    MultiPartFormData.Parser parser =
        new MultiPartFormData.Parser(MultiPart.extractBoundary(contentType));
    parser.setMaxMemoryFileSize(body.length);
    parser.setUseFilesForPartsWithoutFileName(false);
    try (MultiPartFormData.Parts parts =
        Blocker.blockWithPromise(
            read -> parser.parse(new ByteBufferContentSource(ByteBuffer.wrap(body)), read))) {
      for (MultiPart.Part part : parts) {
        if (part.getFileName() == null) {
          add(
              members,
              part.getName(),
              TextNode.valueOf(part.getContentAsString(StandardCharsets.UTF_8)));
        } else {
          ByteBuffer bytes = Content.Source.asByteBuffer(part.getContentSource());
          byte[] file = new byte[bytes.remaining()];
          bytes.get(file);
          add(members, part.getName(), BinaryNode.valueOf(file));
        }
      }
    }
  }

  private static void add(ObjectNode members, String name, JsonNode value) {
    JsonNode known = members.get(name);
    if (known == null) {
      members.set(name, value);
    } else if (known instanceof ArrayNode list) {
      list.add(value);
    } else {
      members.set(name, JsonNodeFactory.instance.arrayNode().add(known).add(value));
    }
  }
}
