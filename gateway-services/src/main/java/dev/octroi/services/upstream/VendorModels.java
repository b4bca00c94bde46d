package dev.octroi.services.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.services.upstream.UpstreamClient.Page;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The models that a vendor says it has, which costs nothing to ask. Immutable.
 *
 * @param status HTTP status of the list
 * @param listed the day on which each is taken away, as far as the vendor tells it, by its name;
 *     empty where there was no list
 */
public record VendorModels(int status, Map<String, Optional<LocalDate>> listed) {

  private static final int MOST_PAGES = 10;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What a vendor adds to a name that stands for its newest build. */
  private static final Pattern BUILD = Pattern.compile("-(\\d{8}|\\d{4}-\\d{2}-\\d{2})");

  public VendorModels {
    listed = Map.copyOf(listed);
  }

  /**
   * Asks for the list.
   *
   * @param within how long each page may take
   * @throws IOException if there is no answer within the time, or none that can be read
   */
  public static VendorModels ask(UpstreamClient client, Form form, Duration within)
      throws IOException, InterruptedException {
    Map<String, Optional<LocalDate>> listed = new LinkedHashMap<>();
    String target = form.target;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      Page page = client.read(target, form.headers, within);
      if (page.status() != 200) {
        return new VendorModels(page.status(), Map.of());
      }
      JsonNode said = MAPPER.readTree(page.body());
      said.path("data").forEach(one -> listed.put(name(one), end(one)));
      if (!said.path("has_more").asBoolean()) {
        break;
      }
      String last = said.path("last_id").asText();
      target = form.target + "&after_id=" + URLEncoder.encode(last, StandardCharsets.UTF_8);
    }
    return new VendorModels(200, listed);
  }

  /** One vendor puts its names in a folder, which calls may leave out. */
  private static String name(JsonNode model) {
    String id = model.path("id").asText();
    return id.startsWith("models/") ? id.substring("models/".length()) : id;
  }

  private static Optional<LocalDate> end(JsonNode model) {
    JsonNode end = model.path("retires_at");
    if (!end.isTextual()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          OffsetDateTime.parse(end.asText()).withOffsetSameInstant(ZoneOffset.UTC).toLocalDate());
    } catch (DateTimeParseException otherwise) {
      return Optional.empty();
    }
  }

  /** Whether there is a model of that name, or a build of it. */
  public boolean has(String model) {
    return listed.keySet().stream().anyMatch(name -> is(name, model));
  }

  /** The day on which the model of that name is taken away, as far as the vendor tells it. */
  public Optional<LocalDate> end(String model) {
    return listed.entrySet().stream()
        .filter(one -> is(one.getKey(), model))
        .flatMap(one -> one.getValue().stream())
        .findFirst();
  }

  private static boolean is(String name, String model) {
    return name.startsWith(model)
        && (name.length() == model.length()
            || BUILD.matcher(name.substring(model.length())).matches());
  }

  /** How the list is asked for. */
  public enum Form {
    /** In one piece. */
    WHOLE("/models", Map.of()),
    /** Page by page, as vendors of the messages protocol give it. */
    PAGED("/models?limit=1000", Map.of("anthropic-version", "2023-06-01"));

    private final String target;

    @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
    private final Map<String, String> headers;

    Form(String target, Map<String, String> headers) {
      this.target = target;
      this.headers = headers;
    }
  }
}
