package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The crypto-data vendor: every read of its contract over one invented world. Thread-safe. */
public final class CryptoDataVendor implements SandboxVendor, AutoCloseable {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "cryptodata";

  static final Contract CONTRACT = Contract.of("cryptodata.txt", "cryptodata-beyond.txt");

  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  private final Map<String, Family.Reading> readings = new HashMap<>();
  private final OnchainTables tables;

  public CryptoDataVendor(Clock clock) {
    this(clock, QUERY_LIMIT);
  }

  /**
   * A vendor with a query limit of its own.
   *
   * @param queryLimit how long one SQL query may run; the vendor's is 30 s
   */
  public CryptoDataVendor(Clock clock, Duration queryLimit) {
    World world = new World(clock);
    tables = new OnchainTables(world, queryLimit);
    for (Family family : families(world)) {
      readings.putAll(family.readings());
    }
  }

  private List<Family> families(World world) {
    return List.of(
        new ExchangeQuotes(world),
        new ExchangeHistory(world),
        new MarketOverview(world),
        new Derivatives(world),
        new Indicators(world),
        new Chains(world),
        new OnchainQueries(tables),
        new WalletHoldings(world),
        new WalletActivity(world),
        new SocialAccounts(),
        new SocialPosts(world),
        new SocialTrends(world),
        new TokenActivity(world),
        new FundReads(world),
        new ProjectReads(world),
        new NewsReads(world),
        new SearchReads(world),
        new WebReads(),
        new VenueAReads(world),
        new VenueATrades(world),
        new VenueBReads(world));
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
    return readings.keySet();
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
    Family.@Nullable Reading reading = readings.get(request.call().operation());
    if (reading == null) {
      return failure(404, "No such path");
    }
    try {
      return SandboxAnswer.ok(reading.read(new Ask(request.call().query(), request.body())));
    } catch (Refusal refusal) {
      return error(refusal.status(), refusal.code(), refusal.getMessage());
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

  private static SandboxAnswer error(int status, String code, @Nullable String message) {
    return SandboxAnswer.status(
        status, Fields.of("error", Fields.of("code", code).and("message", message)));
  }

  /** Drops the on-chain tables. */
  @Override
  public void close() {
    tables.close();
  }
}
