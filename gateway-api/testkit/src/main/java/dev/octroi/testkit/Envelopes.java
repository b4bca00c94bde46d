package dev.octroi.testkit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Changes payment envelopes after they were signed. */
final class Envelopes {

  private Envelopes() {}

  /**
   * The payment with another text at a place.
   *
   * @param parent JSON pointer of the object
   * @param member which is there already
   */
  static String changed(String payment, String parent, String member, String value) {
    ObjectNode envelope = (ObjectNode) Json.read(Base64.getDecoder().decode(payment));
    ((ObjectNode) envelope.at(parent)).set(member, TextNode.valueOf(value));
    return encoded(Json.write(envelope));
  }

  /** The payment with one hexadecimal digit of its signature changed. */
  static String tampered(String payment) {
    String signature =
        Json.read(Base64.getDecoder().decode(payment)).at("/payload/signature").textValue();
    char digit = signature.charAt(20) == 'a' ? 'b' : 'a';
    String changed = signature.substring(0, 20) + digit + signature.substring(21);
    return changed(payment, "/payload", "signature", changed);
  }

  static String encoded(String json) {
    return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
