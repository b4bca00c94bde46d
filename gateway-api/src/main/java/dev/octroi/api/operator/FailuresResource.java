package dev.octroi.api.operator;

import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.observe.CallOutcomes.CallOutcome;
import dev.octroi.api.observe.CallOutcomes.Latencies;
import dev.octroi.api.observe.OutcomeSums;
import dev.octroi.api.observe.OutcomeSums.Ended;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.operator.OperatorServices.FailureServices;
import dev.octroi.payments.Free;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.books.UnchargedPayments.FailedPayer;
import dev.octroi.payments.books.UnchargedPayments.Reason;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What fails: how calls ended over time and by row, and why payments were not charged. */
@Path("/admin/v1/failures")
@OperatorOnly
public class FailuresResource {

  private static final int MOST_REASONS = 50;
  private static final int MOST_PAYERS = 20;

  private final OperatorServices services;

  public FailuresResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /**
   * What happened in a period.
   *
   * @param from begin of the first hour
   * @param funnel how many calls came how far
   * @param step hour or day, of UTC
   * @param steps each with its counts, the oldest first
   * @param rows of the catalogue that were called, those that fail most first
   */
  record Failures(
      Instant from,
      Instant to,
      String step,
      Funnel funnel,
      List<Step> steps,
      List<Row> rows,
      List<Uncharged> reasons,
      List<Payer> payers) {}

  /**
   * How far calls came.
   *
   * @param challenges calls that were told the price
   * @param payments calls that brought a payment
   * @param deliveries calls that brought a payment and were answered well, to the last byte
   */
  record Funnel(long challenges, long payments, long deliveries) {}

  /** Calls by their outcome; times in milliseconds are those of calls that were no challenges. */
  record Step(
      Instant from,
      Map<String, Long> calls,
      @Nullable Long p50,
      @Nullable Long p95,
      @Nullable Long p99) {}

  record Row(
      String group,
      String method,
      String path,
      Map<String, Long> calls,
      @Nullable Long p50,
      @Nullable Long p95,
      @Nullable Long p99) {}

  record Uncharged(
      @Nullable String group,
      String state,
      @Nullable Integer status,
      @Nullable String reason,
      @Nullable String upstream,
      long payments,
      Instant latest,
      UUID example) {

    static Uncharged of(Reason reason) {
      return new Uncharged(
          reason.group().isEmpty() ? null : reason.group(),
          reason.state().toLowerCase(Locale.ROOT),
          reason.status(),
          reason.reason(),
          reason.upstream(),
          reason.payments(),
          reason.latest(),
          reason.example());
    }
  }

  record Payer(String network, String payer, long payments, Instant latest) {

    static Payer of(FailedPayer failed) {
      return new Payer(failed.network(), failed.payer(), failed.payments(), failed.latest());
    }
  }

  /**
   * Of the last day by the hour, unless {@code from}, {@code to} and {@code step} say otherwise; 31
   * days at most.
   */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] failures(@Context UriInfo uri) {
    Query query = new Query(uri);
    String step = query.text("step").orElse("hour");
    if (!step.equals("hour") && !step.equals("day")) {
      throw Refused.invalid("The parameter 'step' must be hour or day.");
    }
    Period period = query.hours(services.clock().instant(), OutcomeSums.KEPT);
    return OperatorServices.ofPeriod(() -> read(period, step, query.text("group")));
  }

  private Failures read(Period period, String step, Optional<String> group) {
    FailureServices failures = services.failures();
    failures.counting().flush();
    List<Ended> hours = failures.sums().byHour(period, group);
    return new Failures(
        period.from(),
        period.to(),
        step,
        funnel(hours),
        steps(hours, step.equals("day") ? ChronoUnit.DAYS : ChronoUnit.HOURS),
        rows(failures.sums().byRow(period, group)),
        failures.uncharged().reasons(period, group, MOST_REASONS).stream()
            .map(Uncharged::of)
            .toList(),
        failures.uncharged().payers(period, group, MOST_PAYERS).stream().map(Payer::of).toList());
  }

  private static Funnel funnel(List<Ended> all) {
    long challenges = 0;
    long payments = 0;
    long deliveries = 0;
    for (Ended ended : all) {
      payments += ended.paying();
      challenges += ended.outcome() == CallOutcome.CHALLENGE ? ended.latencies().calls() : 0;
      deliveries += ended.outcome() == CallOutcome.SERVED ? ended.paying() : 0;
    }
    return new Funnel(challenges, payments, deliveries);
  }

  private static List<Step> steps(List<Ended> all, ChronoUnit length) {
    Map<Instant, Tally> byStep = new TreeMap<>();
    all.forEach(
        ended ->
            byStep.computeIfAbsent(ended.hour().truncatedTo(length), at -> new Tally()).add(ended));
    List<Step> steps = new ArrayList<>();
    byStep.forEach(
        (from, tally) ->
            steps.add(
                new Step(
                    from, tally.calls(), tally.within(50), tally.within(95), tally.within(99))));
    return steps;
  }

  private static List<Row> rows(List<Ended> all) {
    record Place(String group, String method, String path) {}
    Map<Place, Tally> byRow = new LinkedHashMap<>();
    all.forEach(
        ended ->
            byRow
                .computeIfAbsent(
                    new Place(ended.group(), ended.method(), ended.path()), at -> new Tally())
                .add(ended));
    return byRow.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<Place, Tally> row) -> -row.getValue().failed())
                .thenComparing(row -> row.getKey().path()))
        .map(
            row ->
                new Row(
                    row.getKey().group(),
                    row.getKey().method(),
                    row.getKey().path(),
                    row.getValue().calls(),
                    row.getValue().within(50),
                    row.getValue().within(95),
                    row.getValue().within(99)))
        .toList();
  }

  /** Adds up calls. Used by one thread. */
  private static final class Tally {

    private final Map<CallOutcome, Long> calls = new EnumMap<>(CallOutcome.class);
    private final Collection<Latencies> times = new ArrayList<>();

    void add(Ended ended) {
      calls.merge(ended.outcome(), ended.latencies().calls(), Long::sum);
      if (ended.outcome() != CallOutcome.CHALLENGE) {
        times.add(ended.latencies());
      }
    }

    /** By the outcome's word, those that did not happen too. */
    Map<String, Long> calls() {
      Map<String, Long> words = new LinkedHashMap<>();
      for (CallOutcome outcome : CallOutcome.values()) {
        words.put(outcome.word(), calls.getOrDefault(outcome, 0L));
      }
      return words;
    }

    long failed() {
      return calls.entrySet().stream()
          .filter(entry -> entry.getKey().isFailure())
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    @Nullable Long within(int percent) {
      return Latencies.sum(times).percentile(percent);
    }
  }
}
