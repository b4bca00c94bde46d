package dev.octroi.sandbox.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.http.MultiPartFormData;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.util.Blocker;

/** The fields of a request, whether they came as JSON or as a form. */
final class Fields {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BASE64 = ";base64,";

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, List<byte[]>> files = new HashMap<>();

  static Fields of(SandboxRequest request) {
    String type = request.headers().getOrDefault("content-type", "");
    Fields fields = new Fields();
    if (type.startsWith("multipart/form-data")) {
      fields.readForm(type, request.body());
    } else {
      fields.readJson(request.body());
    }
    return fields;
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(texts.get(name));
  }

  int number(String name, int least, int most, int otherwise) {
    try {
      int number = text(name).map(Integer::parseInt).orElse(otherwise);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as what is out of range.
    }
    throw Refused.wrong(name, "must be " + least + " to " + most);
  }

  boolean flag(String name) {
    return text(name).map(Boolean::parseBoolean).orElse(false);
  }

  /** The files of any of some names. */
  List<byte[]> files(String... names) {
    List<byte[]> found = new ArrayList<>();
    for (String name : names) {
      found.addAll(files.getOrDefault(name, List.of()));
    }
    return found;
  }

  private void readForm(String type, byte[] body) {
    MultiPartFormData.Parser parser = new MultiPartFormData.Parser(MultiPart.extractBoundary(type));
    parser.setMaxMemoryFileSize(body.length);
    parser.setUseFilesForPartsWithoutFileName(false);
    try (MultiPartFormData.Parts parts =
        Blocker.blockWithPromise(
            read -> parser.parse(new ByteBufferContentSource(ByteBuffer.wrap(body)), read))) {
      for (MultiPart.Part part : parts) {
        if (part.getFileName() == null) {
          texts.put(part.getName(), part.getContentAsString(StandardCharsets.UTF_8));
        } else {
          ByteBuffer bytes = Content.Source.asByteBuffer(part.getContentSource());
          byte[] file = new byte[bytes.remaining()];
          bytes.get(file);
          files.computeIfAbsent(part.getName(), name -> new ArrayList<>()).add(file);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new Refused("invalid_request", "The form cannot be read");
    }
  }

  private void readJson(byte[] body) {
    JsonNode tree;
    try {
      tree = JSON.readTree(body);
    } catch (IOException e) {
      throw new Refused("invalid_json", "The body is not JSON");
    }
    if (!tree.isObject()) {
      throw new Refused("invalid_json", "The body is not a JSON object");
    }
    tree.properties().forEach(member -> readMember(member.getKey(), member.getValue()));
  }

  private void readMember(String name, JsonNode value) {
    if (name.equals("image") || name.equals("images") || name.equals("mask")) {
      List<byte[]> found = new ArrayList<>();
      if (value.isArray()) {
        value.forEach(one -> found.add(file(name, one)));
      } else {
        found.add(file(name, value));
      }
      files.put(name, found);
    } else if (!value.isNull()) {
      texts.put(name, value.asText());
    }
  }

  /** A picture in base64, bare or as a data address, alone or as a member of an object. */
  private static byte[] file(String name, JsonNode value) {
    String text = value.isObject() ? value.path("image_url").asText() : value.asText();
    int data = text.startsWith("data:") ? text.indexOf(BASE64) : -1;
    try {
      return Base64.getDecoder().decode(data < 0 ? text : text.substring(data + BASE64.length()));
    } catch (IllegalArgumentException e) {
      throw Refused.wrong(name, "is not base64");
    }
  }
}
