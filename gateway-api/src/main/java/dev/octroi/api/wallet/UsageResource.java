package dev.octroi.api.wallet;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Page;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.wallet.OwnerGate.KeyOwner;
import dev.octroi.api.wallet.OwnerGate.OwnerOnly;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.UsageLine;
import dev.octroi.payments.account.Accounts.UsageQuery;
import dev.octroi.payments.account.ApiKey;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

/** What the account of the key that asks has bought, by day, key and group; free. */
@Path("/v1/usage")
@OwnerOnly
public class UsageResource {

  private static final int DAYS = 30;
  private static final String SEPARATOR = "|";
  private static final int PLACE_PARTS = 3;

  private final OwnerServices services;

  public UsageResource(@Context Providers providers) {
    this(OwnerServices.of(providers));
  }

  UsageResource(OwnerServices services) {
    this.services = services;
  }

  record Line(LocalDate day, UUID key, String group, long calls, Usd spend) {

    static Line of(UsageLine line) {
      return new Line(line.day(), line.key(), line.group(), line.calls(), line.spend());
    }
  }

  /** The latest day first; the last 30 days unless {@code from} and {@code to} say otherwise. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(
      value = "What was bought, by day, key and group",
      query = {
        "from: the first day, such as 2026-12-01",
        "to: the last day",
        "key: the id of a key",
        "limit: lines of a page, 1 to 100",
        "cursor: `nextCursor` of the page before"
      },
      answerSchema = "Usage")
  public byte[] usage(@Context UriInfo uri, @Context SecurityContext security) {
    ApiKey key = KeyOwner.of(security);
    Query query = new Query(uri);
    LocalDate to =
        query
            .day("to")
            .orElseGet(() -> LocalDate.ofInstant(services.clock().instant(), ZoneOffset.UTC));
    LocalDate from = query.day("from").orElseGet(() -> to.minusDays(DAYS - 1L));
    if (from.isAfter(to)) {
      throw Refused.invalid("'from' is not after 'to'.");
    }
    UsageQuery asked = new UsageQuery(key.account(), query.id("key"), from, to);
    Optional<UsageLine> after = query.cursor().map(UsageResource::place);
    return HouseJson.of(
        Page.of(
            services.accounts().usage(asked, after, query.limit()),
            query.limit(),
            UsageResource::cursor,
            Line::of));
  }

  private static String cursor(UsageLine line) {
    return Query.cursorOf(line.day() + SEPARATOR + line.key() + SEPARATOR + line.group());
  }

  private static UsageLine place(String cursor) {
    String[] parts = cursor.split("\\" + SEPARATOR, -1);
    try {
      if (parts.length == PLACE_PARTS) {
        return new UsageLine(
            LocalDate.parse(parts[0]), UUID.fromString(parts[1]), parts[2], 0, Usd.ZERO);
      }
    } catch (IllegalArgumentException | java.time.DateTimeException e) {
      // Said below: a cursor that was made up.
    }
    throw Refused.invalid("The parameter 'cursor' must be the nextCursor of the page before.");
  }
}
