package dev.octroi.api.operator;

import dev.octroi.api.group.SoldRow;
import dev.octroi.api.house.Query;
import dev.octroi.api.observe.OutcomeSums;
import dev.octroi.api.observe.OutcomeSums.Ended;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.books.Earnings.Earned;
import dev.octroi.payments.books.Earnings.EarnedAt;
import dev.octroi.payments.books.GasSpent.GasAt;
import dev.octroi.payments.books.Period;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is left of revenue after what vendors charge and gas: by group, and by row of the catalogue.
 */
@Path("/admin/v1/margin")
@OperatorOnly
public class MarginResource {

  /** The decimals of the coins of all EVM chains. */
  private static final int COIN_DECIMALS = 18;

  private final OperatorServices services;

  public MarginResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /**
   * The margins of a period.
   *
   * @param from begin of the first hour
   * @param closedBefore before when the books are closed: nothing of that is revenue here
   * @param coinPrice what the chain's own coin is worth; null if no setting says so
   */
  record Margins(
      Instant from,
      Instant to,
      @Nullable Instant closedBefore,
      @Nullable Usd coinPrice,
      Figures total,
      List<OfGroup> groups,
      List<OfRow> rows) {}

  record OfGroup(@Nullable String group, Figures figures) {}

  /** Without method and path: what belongs to no row that is sold now. */
  record OfRow(
      @Nullable String group, @Nullable String method, @Nullable String path, Figures figures) {}

  /**
   * Amounts are exact.
   *
   * @param calls that were paid for
   * @param asked calls that an upstream was asked for, paid or not
   * @param uncosted how many of these have no cost set
   * @param cost what vendors charge for the others; null if no cost is set for anything here
   * @param gas by network, in the network's own coin
   * @param gasUsd null if there is gas whose coin has no price set
   * @param margin null if a call that an upstream was asked for has no cost, or gas no price
   */
  record Figures(
      long calls,
      Usd taken,
      Usd givenBack,
      long asked,
      long uncosted,
      @Nullable Usd cost,
      Map<String, String> gas,
      @Nullable String gasUsd,
      @Nullable String margin) {}

  /** A row of the catalogue; empty texts for what belongs to none. */
  private record Place(String group, String method, String path) {

    @Nullable String groupOrNull() {
      return group.isEmpty() ? null : group;
    }
  }

  /** Of the last day unless {@code from} and {@code to} say otherwise; 31 days at most. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] margin(@Context UriInfo uri) {
    Query query = new Query(uri);
    Period period = query.hours(services.clock().instant(), OutcomeSums.KEPT);
    return OperatorServices.ofPeriod(() -> read(period));
  }

  private Margins read(Period period) {
    Map<Place, Sum> rows = new LinkedHashMap<>();
    services.work().earnings().byPath(period, one -> sum(rows, place(one)).add(one.earned()));
    services.work().gas().byPath(period, one -> sum(rows, place(one)).add(one));
    services.failures().counting().flush();
    for (Ended ended : services.failures().sums().byRow(period, Optional.empty())) {
      Place place = new Place(ended.group(), ended.method(), ended.path());
      if (ended.asked() > 0) {
        sum(rows, place).asked += ended.asked();
      }
    }
    Map<String, Sum> groups = new TreeMap<>();
    Sum total = new Sum();
    rows.forEach(
        (place, sum) -> {
          sum.charge(services.prices().cost(place.group(), place.method(), place.path()));
          groups.computeIfAbsent(place.group(), group -> new Sum()).add(sum);
          total.add(sum);
        });
    return new Margins(
        period.from(),
        period.to(),
        services.books().export().closedBefore().orElse(null),
        services.settings().chain().coinPrice().orElse(null),
        figures(total),
        groups.entrySet().stream()
            .map(
                group ->
                    new OfGroup(
                        group.getKey().isEmpty() ? null : group.getKey(),
                        figures(group.getValue())))
            .toList(),
        rows.entrySet().stream()
            .sorted(
                Comparator.comparing((Map.Entry<Place, Sum> row) -> row.getValue().revenue())
                    .reversed()
                    .thenComparing(row -> row.getKey().path()))
            .map(row -> row(row.getKey(), figures(row.getValue())))
            .toList());
  }

  private static OfRow row(Place place, Figures figures) {
    return place.path().isEmpty()
        ? new OfRow(place.groupOrNull(), null, null, figures)
        : new OfRow(place.groupOrNull(), place.method(), place.path(), figures);
  }

  private static Sum sum(Map<Place, Sum> rows, Place place) {
    return rows.computeIfAbsent(place, at -> new Sum());
  }

  private Place place(EarnedAt at) {
    return place(at.earned().group(), at.method(), at.path());
  }

  private Place place(GasAt at) {
    return place(Objects.requireNonNullElse(at.group(), ""), at.method(), at.path());
  }

  /** The row whose requests have this path; callers make paths, and rows are few. */
  private Place place(String group, @Nullable String method, @Nullable String path) {
    Optional<SoldRow> row =
        method == null || path == null
            ? Optional.empty()
            : services.prices().sold(method, path).filter(one -> one.group().word().equals(group));
    return row.map(one -> new Place(group, one.method(), one.path()))
        .orElseGet(() -> new Place(group, "", ""));
  }

  private Figures figures(Sum sum) {
    Optional<BigDecimal> gasUsd = dollars(sum.gas);
    BigDecimal left = usd(sum.taken - sum.givenBack - sum.cost);
    Map<String, String> gas = new TreeMap<>();
    sum.gas.forEach((network, fee) -> gas.put(network, plain(coins(fee))));
    return new Figures(
        sum.calls,
        new Usd(sum.taken),
        new Usd(sum.givenBack),
        sum.asked,
        sum.uncosted,
        sum.isCosted ? new Usd(sum.cost) : null,
        gas,
        gasUsd.map(MarginResource::plain).orElse(null),
        sum.uncosted == 0 ? gasUsd.map(spent -> plain(left.subtract(spent))).orElse(null) : null);
  }

  /** Only the coin of the chain of the settings has a price. */
  private Optional<BigDecimal> dollars(Map<String, BigInteger> gas) {
    if (gas.isEmpty()) {
      return Optional.of(BigDecimal.ZERO);
    }
    BigInteger fee = gas.get(services.settings().payments().network());
    return fee == null || gas.size() > 1
        ? Optional.empty()
        : services
            .settings()
            .chain()
            .coinPrice()
            .map(price -> coins(fee).multiply(usd(price.micros())));
  }

  private static BigDecimal coins(BigInteger fee) {
    return new BigDecimal(fee, COIN_DECIMALS);
  }

  private static BigDecimal usd(long micros) {
    return BigDecimal.valueOf(micros, Usd.DECIMALS);
  }

  private static String plain(BigDecimal exact) {
    return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
  }

  /** Adds up a row, or rows. Used by one thread. */
  private static final class Sum {

    private long calls;
    private long taken;
    private long givenBack;
    private long asked;
    private long uncosted;
    private long cost;
    private boolean isCosted;
    private final Map<String, BigInteger> gas = new TreeMap<>();

    void add(Earned earned) {
      calls += earned.calls();
      taken = Math.addExact(taken, earned.taken());
      givenBack = Math.addExact(givenBack, earned.givenBack());
    }

    void add(GasAt spent) {
      gas.merge(spent.network(), spent.fee(), BigInteger::add);
    }

    void charge(Optional<Usd> each) {
      uncosted = each.isPresent() ? 0 : asked;
      isCosted = each.isPresent();
      cost = each.map(one -> Math.multiplyExact(one.micros(), asked)).orElse(0L);
    }

    void add(Sum row) {
      calls += row.calls;
      taken = Math.addExact(taken, row.taken);
      givenBack = Math.addExact(givenBack, row.givenBack);
      asked += row.asked;
      uncosted += row.uncosted;
      cost = Math.addExact(cost, row.cost);
      isCosted |= row.isCosted;
      row.gas.forEach((network, fee) -> gas.merge(network, fee, BigInteger::add));
    }

    long revenue() {
      return taken - givenBack;
    }
  }
}
