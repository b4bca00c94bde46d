package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.formula.Builtin;
import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.TimedCall;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.websearch.WebPages;
import dev.octroi.sandbox.world.World;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The crypto-data vendor. What its paths answer stands in {@code answers.txt}; here are its
 * envelopes, its SQL and its errors. Thread-safe.
 */
public final class CryptoDataVendor implements SandboxVendor, AutoCloseable {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "cryptodata";

  static final Contract CONTRACT = Contract.of("cryptodata.txt", "cryptodata-beyond.txt");

  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  /** Answers within one step are alike, in seconds. */
  private static final long STEP = 5;

  private final Clock clock;
  private final OnchainTables tables;
  private final OnchainQueries queries;
  private final Formulas formulas;
  private final Set<String> reads;

  public CryptoDataVendor(Clock clock) {
    this(clock, QUERY_LIMIT);
  }

  /**
   * A vendor with a query limit of its own.
   *
   * @param queryLimit how long one SQL query may run; the vendor's is 30 s
   */
  public CryptoDataVendor(Clock clock, Duration queryLimit) {
    this.clock = clock;
    this.tables = new OnchainTables(this::now, queryLimit);
    this.queries = new OnchainQueries(tables);
    this.formulas = World.formulas(this::function).read(CryptoDataVendor.class, "answers.txt");
    this.reads = Set.copyOf(formulas.reads());
  }

  private long now() {
    return clock.instant().getEpochSecond() / STEP * STEP;
  }

  private @Nullable Builtin function(String name) {
    return switch (name) {
      case "sql_schema" -> in -> OnchainQueries.schema();
      case "sql_answer" -> in -> queries.sql(in.scope().call().body());
      case "query_answer" -> in -> queries.structured(in.scope().call().body());
      case "pages_about" -> in -> pagesAbout(in.text(0), in.value(1));
      case "page_at" -> in -> WebPages.fetched(in.text(0));
      default -> Envelopes.function(name);
    };
  }

  private static List<Row> pagesAbout(String text, @Nullable Object site) {
    return WebPages.about(text).stream()
        .filter(page -> site == null || String.valueOf(page.get("url")).contains("//" + site + "/"))
        .toList();
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  /** Every read that is answered, as method, space and path. */
  Set<String> reads() {
    return reads;
  }

  /** The processes that its SQL runs in. */
  List<ProcessHandle> processes() {
    return tables.processes();
  }

  int runningQueries() {
    return tables.running();
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    String read = request.call().operation();
    if (!reads.contains(read)) {
      return failure(404, "No such path");
    }
    try {
      Object answer = formulas.answer(read, TimedCall.of(request, now()));
      return SandboxAnswer.ok(Objects.requireNonNull(answer, read));
    } catch (Refusal refusal) {
      boolean ofField = !refusal.parameter().isEmpty();
      String message = (ofField ? refusal.parameter() + ": " : "") + refusal.getMessage();
      return ofField
          ? failure(refusal.status(), message)
          : error(refusal.status(), refusal.code(), message);
    }
  }

  /** The vendor tells what is missing, 400, from what is wrong, 422. */
  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case TYPE, VALUE, BOUND -> failure(422, violation.sentence());
      default -> SandboxVendor.super.refusal(violation);
    };
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    String code =
        switch (status) {
          case 400 -> "BAD_REQUEST";
          case 401 -> "UNAUTHORIZED";
          case 403 -> "FORBIDDEN";
          case 404 -> "NOT_FOUND";
          case 405 -> "METHOD_NOT_ALLOWED";
          case 413 -> "PAYLOAD_TOO_LARGE";
          case 422 -> "VALIDATION_ERROR";
          case 429 -> "RATE_LIMITED";
          default -> "UPSTREAM_ERROR";
        };
    return error(status, code, message);
  }

  private static SandboxAnswer error(int status, String code, String message) {
    return SandboxAnswer.status(status, Row.of("error", Row.of("code", code, "message", message)));
  }

  /** Drops the on-chain tables. */
  @Override
  public void close() {
    tables.close();
  }
}
