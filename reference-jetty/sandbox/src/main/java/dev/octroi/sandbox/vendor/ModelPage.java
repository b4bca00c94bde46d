package dev.octroi.sandbox.vendor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The list of a vendor's models, at {@code /v1/models}. Immutable. */
public final class ModelPage {

  private static final String PATH = "/v1/models";
  private static final String FILE = "models.txt";
  private static final int USUAL_LIMIT = 20;

  private final List<Listed> models;

  private ModelPage(List<Listed> models) {
    this.models = models;
  }

  /** The models of the vendor that is mounted there. */
  public static ModelPage of(String mount) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(ModelPage.class.getResourceAsStream(FILE), FILE),
                StandardCharsets.UTF_8))) {
      return new ModelPage(
          lines
              .lines()
              .map(line -> line.split(" "))
              .filter(words -> words[0].equals(mount))
              .map(Listed::of)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the list is asked for. */
  public static boolean isAsked(SandboxRequest request) {
    return request.method().equals("GET") && request.path().equals(PATH);
  }

  /** In one piece, as most vendors give it. */
  public SandboxAnswer whole() {
    return SandboxAnswer.ok(
        Map.of("object", "list", "data", models.stream().map(Listed::open).toList()));
  }

  /** Page by page, as the vendor of the messages protocol gives it. */
  public SandboxAnswer page(SandboxRequest request) {
    int limit =
        first(request, "limit")
            .filter(given -> given.matches("[1-9]\\d{0,3}"))
            .map(Integer::parseInt)
            .orElse(USUAL_LIMIT);
    int from = first(request, "after_id").map(this::after).orElse(0);
    List<Listed> page = models.subList(from, Math.min(models.size(), from + limit));
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("data", page.stream().map(Listed::dated).toList());
    answer.put("has_more", from + page.size() < models.size());
    answer.put("first_id", page.isEmpty() ? null : page.get(0).name);
    answer.put("last_id", page.isEmpty() ? null : page.get(page.size() - 1).name);
    return SandboxAnswer.ok(answer);
  }

  private int after(String id) {
    return IntStream.range(0, models.size())
        .filter(at -> models.get(at).name.equals(id))
        .map(at -> at + 1)
        .findFirst()
        .orElse(0);
  }

  private static Optional<String> first(SandboxRequest request, String parameter) {
    return request.query().getOrDefault(parameter, List.of()).stream().findFirst();
  }

  private record Listed(String name, LocalDate first, @Nullable LocalDate last) {

    static Listed of(String[] words) {
      return new Listed(
          words[1],
          LocalDate.parse(words[2]),
          words[3].equals("-") ? null : LocalDate.parse(words[3]));
    }

    Map<String, Object> open() {
      return Map.of(
          "id",
          name,
          "object",
          "model",
          "created",
          first.atStartOfDay(ZoneOffset.UTC).toEpochSecond(),
          "owned_by",
          "sandbox");
    }

    Map<String, @Nullable Object> dated() {
      Map<String, @Nullable Object> model = new LinkedHashMap<>();
      model.put("type", "model");
      model.put("id", name);
      model.put("display_name", name);
      model.put("created_at", first + "T00:00:00Z");
      model.put("lifecycle", last == null ? "active" : "deprecated");
      model.put("retires_at", last == null ? null : last + "T00:00:00Z");
      return model;
    }
  }
}
