package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a wallet signed to sign in (the protocol's extension {@code sign-in-with-x}), as its header
 * says; nothing in it is trusted.
 *
 * @param domain the host that the wallet was told, with its port
 * @param address the wallet's
 * @param statement what the wallet showed; null if nothing
 * @param uri the address that was to be read
 * @param chainId CAIP-2 id
 * @param nonce what the challenge gave out
 * @param issuedAt when the challenge says that it was made
 * @param expirationTime until when it stands; null if it does not say
 * @param notBefore from when on it stands; null if it does not say
 * @param requestId null if there is none
 * @param resources null if there are none
 * @param signature in the chain's spelling
 */
public record SignInMessage(
    String domain,
    String address,
    @Nullable String statement,
    String uri,
    String chainId,
    String nonce,
    String issuedAt,
    @Nullable String expirationTime,
    @Nullable String notBefore,
    @Nullable String requestId,
    @Nullable List<String> resources,
    String signature) {

  /** The extension's name. */
  public static final String EXTENSION = "sign-in-with-x";

  /** The request header: base64 of JSON. */
  public static final String HEADER = "SIGN-IN-WITH-X";

  /** The longest header, in characters; a longer one is answered with 431. */
  public static final int MAX_HEADER_CHARS = 6 * 1024;

  private static final String VERSION = "1";
  private static final int MAX_RESOURCES = 16;

  /**
   * Reads a header value.
   *
   * @throws MalformedPayment if it is not base64 of the JSON of a message of version 1
   */
  public static SignInMessage read(String header) {
    JsonNode root = json(header);
    if (!VERSION.equals(text(root, "version"))) {
      throw malformed();
    }
    return new SignInMessage(
        text(root, "domain"),
        text(root, "address"),
        optional(root, "statement").filter(said -> !said.isEmpty()).orElse(null),
        text(root, "uri"),
        text(root, "chainId"),
        text(root, "nonce"),
        text(root, "issuedAt"),
        optional(root, "expirationTime").orElse(null),
        optional(root, "notBefore").orElse(null),
        optional(root, "requestId").orElse(null),
        resources(root),
        text(root, "signature"));
  }

  /**
   * The lines that are signed after address and statement, the same on every chain but for the name
   * of the chain and the resources.
   *
   * @param chain the chain's id in its own words
   */
  public List<String> lines(String chain) {
    List<String> lines = new ArrayList<>();
    lines.add("URI: " + uri);
    lines.add("Version: " + VERSION);
    lines.add("Chain ID: " + chain);
    lines.add("Nonce: " + nonce);
    lines.add("Issued At: " + issuedAt);
    if (expirationTime != null) {
      lines.add("Expiration Time: " + expirationTime);
    }
    if (notBefore != null) {
      lines.add("Not Before: " + notBefore);
    }
    if (requestId != null) {
      lines.add("Request ID: " + requestId);
    }
    return lines;
  }

  private static JsonNode json(String header) {
    try {
      return Json.readObject(Base64.getDecoder().decode(header));
    } catch (IllegalArgumentException | MalformedPayment e) {
      throw malformed();
    }
  }

  private static String text(JsonNode root, String name) {
    return optional(root, name)
        .filter(text -> !text.isEmpty())
        .orElseThrow(SignInMessage::malformed);
  }

  private static Optional<String> optional(JsonNode root, String name) {
    JsonNode node = root.path(name);
    if (node.isMissingNode() || node.isNull()) {
      return Optional.empty();
    }
    return Optional.of(line(node));
  }

  private static @Nullable List<String> resources(JsonNode root) {
    JsonNode node = root.path("resources");
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isArray() || node.size() > MAX_RESOURCES) {
      throw malformed();
    }
    List<String> resources = new ArrayList<>();
    node.forEach(resource -> resources.add(line(resource)));
    return List.copyOf(resources);
  }

  /** A member that broke the line could put others into the text that is signed. */
  private static String line(JsonNode node) {
    String text = node.textValue();
    if (text == null || text.chars().anyMatch(Character::isISOControl)) {
      throw malformed();
    }
    return text;
  }

  /** What is signed, as the bytes of a text. */
  public static byte[] bytes(List<String> lines) {
    return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
  }

  private static MalformedPayment malformed() {
    return new MalformedPayment(HEADER + " is base64 of the JSON of a message of version 1.");
  }
}
