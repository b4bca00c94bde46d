package dev.octroi.api.operator;

import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.books.Earnings.Earned;
import dev.octroi.payments.books.Period;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was earned, by time and group: summed up from the journal, so that it is the books'. */
@Path("/admin/v1/revenue")
@OperatorOnly
public class RevenueResource {

  private final OperatorServices services;

  public RevenueResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /** How fine the time is told; the longest period keeps the answer, and its reading, bounded. */
  enum Step {
    HOUR(Duration.ofHours(1), Duration.ofDays(31)),
    DAY(Duration.ofDays(1), Duration.ofDays(366));

    private final Duration length;
    private final Duration longest;

    Step(Duration length, Duration longest) {
      this.length = length;
      this.longest = longest;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Revenue(
      Instant from, Instant to, String step, @Nullable Instant closedBefore, List<Row> data) {}

  record Row(Instant from, @Nullable String group, long calls, Usd taken, Usd givenBack) {

    static Row of(Earned earned) {
      return new Row(
          earned.from(),
          earned.group().isEmpty() ? null : earned.group(),
          earned.calls(),
          new Usd(earned.taken()),
          new Usd(earned.givenBack()));
    }
  }

  /**
   * Of the last day by the hour, unless {@code from}, {@code to} and {@code step} say otherwise.
   */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] revenue(@Context UriInfo uri) {
    Query query = new Query(uri);
    Step step = query.one("step", Step.class).orElse(Step.HOUR);
    Period period = query.period(services.clock().instant());
    if (period.from().isBefore(period.to().minus(step.longest))) {
      throw Refused.invalid(
          "By the " + step.word() + ", " + step.longest.toDays() + " days are told at most.");
    }
    return OperatorServices.ofPeriod(
        () ->
            new Revenue(
                period.from(),
                period.to(),
                step.word(),
                services.books().export().closedBefore().orElse(null),
                services.work().earnings().of(period, step.length).stream().map(Row::of).toList()));
  }
}
