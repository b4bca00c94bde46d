package dev.octroi.sandbox.websearch;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.vendor.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The search vendor. The pages are read and indexed when they are first searched. Thread-safe. */
public final class SearchVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "websearch";

  private static final Contract CONTRACT = Contract.of("websearch.txt", "websearch-beyond.txt");

  private static final Map<String, Function<Ask, Map<String, @Nullable Object>>> METHODS =
      Map.of(
          "/search", Searches::search,
          "/findSimilar", Searches::similar,
          "/contents", Searches::contents,
          "/answer", Searches::answer);

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> failure(401, violation.message());
      case NO_PATH, NO_METHOD -> failure(404, "Not found");
      default -> failure(400, "Invalid request body: " + violation.sentence());
    };
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    Function<Ask, Map<String, @Nullable Object>> method = METHODS.get(request.path());
    if (method == null) {
      return failure(404, "Not found");
    }
    String id = id(request.path(), new String(request.body(), StandardCharsets.UTF_8));
    try {
      Map<String, @Nullable Object> answer = Searches.fields("requestId", id);
      answer.putAll(method.apply(Ask.of(request.body())));
      answer.put("costDollars", Map.of("total", 0.005));
      return SandboxAnswer.ok(answer);
    } catch (Refused refused) {
      return error(400, id, String.valueOf(refused.getMessage()), refused.tag());
    }
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    String tag =
        switch (status) {
          case 400, 413, 422 -> "INVALID_REQUEST_BODY";
          case 401 -> "INVALID_API_KEY";
          case 402 -> "NO_MORE_CREDITS";
          case 404 -> "NOT_FOUND";
          case 429 -> "RATE_LIMIT_EXCEEDED";
          default -> "DEFAULT_ERROR";
        };
    return error(status, id("failure", message), message, tag);
  }

  private static SandboxAnswer error(int status, String id, String message, String tag) {
    return SandboxAnswer.status(
        status, Searches.fields("requestId", id, "error", message, "tag", tag));
  }

  private static String id(String... words) {
    return Seeded.of((Object[]) words).hex(32);
  }
}
