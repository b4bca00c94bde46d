package dev.octroi.sandbox.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.contract.FormBody;
import dev.octroi.sandbox.vendor.SandboxRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a request, whether they came as JSON or as a form. */
final class Fields {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BASE64 = ";base64,";

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, List<byte[]>> files = new HashMap<>();

  static Fields of(SandboxRequest request) {
    FormBody form = FormBody.of(request.headers(), request.body());
    Fields fields = new Fields();
    try {
      JsonNode members = form.isForm() ? form.members() : JSON.readTree(request.body());
      members.properties().forEach(member -> fields.readMember(member.getKey(), member.getValue()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return fields;
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(texts.get(name));
  }

  int number(String name, int otherwise) {
    return text(name).map(Integer::parseInt).orElse(otherwise);
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

  private void readMember(String name, JsonNode value) {
    if (name.equals("image")
        || name.equals("image[]")
        || name.equals("images")
        || name.equals("mask")) {
      List<byte[]> found = new ArrayList<>();
      (value.isArray() ? value : List.of(value)).forEach(one -> found.add(file(name, one)));
      files.put(name, found);
    } else if (!value.isNull()) {
      texts.put(name, value.asText());
    }
  }

  /** A picture of a form, or the address of one in base64. */
  private static byte[] file(String name, JsonNode value) {
    try {
      if (value.isBinary()) {
        return value.binaryValue();
      }
      String text = value.path("image_url").asText();
      int data = text.startsWith("data:") ? text.indexOf(BASE64) : -1;
      if (data < 0) {
        throw Refused.wrong(name, "is not at an address that the sandbox reads: data:…;base64,…");
      }
      return Base64.getDecoder().decode(text.substring(data + BASE64.length()));
    } catch (IllegalArgumentException | IOException e) {
      throw Refused.wrong(name, "is not base64");
    }
  }
}
