package dev.octroi.sandbox.prediction;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The prediction vendor: markets, prices, trades, wallets, games and oracle questions of several
 * venues, over a universe that is the same in every process. {@code docs/prediction.md} lists the
 * identifiers that stand for an error. Thread-safe.
 */
public final class PredictionVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "prediction";

  private static final Contract CONTRACT = Contract.of("prediction.txt", "prediction-beyond.txt");

  /** A market or wallet that is always asked for too often. */
  private static final String BUSY = "0x" + "0".repeat(37) + "429";

  private final Clock clock;
  private final Routes routes = routes();
  private @Nullable Universe universe;

  /** The clock decides the time that answers are for. */
  public PredictionVendor(Clock clock) {
    this.clock = clock;
  }

  private static Routes routes() {
    Routes routes = new Routes();
    MarketReads.addTo(routes);
    EventReads.addTo(routes);
    PriceReads.addTo(routes);
    VolumeReads.addTo(routes);
    BookReads.addTo(routes);
    TradeReads.addTo(routes);
    WalletReads.addTo(routes);
    PositionReads.addTo(routes);
    WalletSeriesReads.addTo(routes);
    IdentityReads.addTo(routes);
    LeaderboardReads.addTo(routes);
    SmartMoneyReads.addTo(routes);
    SportsReads.addTo(routes);
    CanonicalReads.addTo(routes);
    SearchReads.addTo(routes);
    MatchingReads.addTo(routes);
    ComparisonReads.addTo(routes);
    VenueBReads.addTo(routes);
    VenueCReads.addTo(routes);
    OtherVenueReads.addTo(routes);
    ExchangeReads.addTo(routes);
    OracleReads.addTo(routes);
    return routes;
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    try {
      if (request.path().contains(BUSY) || request.query().containsValue(List.of(BUSY))) {
        throw VendorRefusal.tooManyRequests();
      }
      Routes.Read read = routes.read(request.call().operation());
      if (read == null) {
        throw VendorRefusal.noSuchPath();
      }
      Object body = read.apply(ask(request, request.call().path()));
      return body instanceof SandboxAnswer whole ? whole : SandboxAnswer.ok(body);
    } catch (VendorRefusal refusal) {
      return refusal.answer();
    }
  }

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return VendorRefusal.of(violation).answer();
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    VendorRefusal refusal =
        status == 429
            ? VendorRefusal.tooManyRequests()
            : VendorRefusal.of(status, "Status " + status, message);
    return refusal.answer();
  }

  /** Every operation that is answered, as method, space and path. */
  Set<String> operations() {
    return routes.operations();
  }

  private Ask ask(SandboxRequest request, Map<String, String> variables) {
    Instant now = clock.instant();
    String key = request.query().getOrDefault("pagination_key", List.of("")).get(0);
    return new Ask(request, variables, current(now), Page.time(key, now));
  }

  /** Built by the first call of a month, so that starting costs nothing. */
  private synchronized Universe current(Instant now) {
    Instant month = month(now);
    Universe known = universe;
    if (known != null && known.anchor().equals(month)) {
      return known;
    }
    Universe next = new Universe(month);
    universe = next;
    return next;
  }

  private static Instant month(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC)
        .withDayOfMonth(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant();
  }
}
