package dev.octroi.api.wallet;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.wallet.OwnerGate.KeyOwner;
import dev.octroi.api.wallet.OwnerGate.WalletGate.OwnerOrWallet;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.Free;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.UsageLine;
import dev.octroi.payments.account.Accounts.UsageQuery;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the account of the key that asks, or the signed-in wallet, has bought by day; free. */
@Path("/v1/usage")
public class UsageResource {

  private static final int DAYS = 30;
  private static final String SEPARATOR = "|";
  private static final int PLACE_PARTS = 3;

  private final OwnerServices services;

  public UsageResource(@Context Providers providers) {
    services = OwnerServices.of(providers);
  }

  /**
   * What was bought on a day.
   *
   * @param key null for what a wallet of the payer's own has paid for
   */
  record Line(LocalDate day, @Nullable UUID key, String group, long calls, Usd spend) {

    static Line of(UsageLine line) {
      UUID key = line.key().equals(WalletUsage.NO_KEY) ? null : line.key();
      return new Line(line.day(), key, line.group(), line.calls(), line.spend());
    }
  }

  /** The latest day first; the last 30 days unless {@code from} and {@code to} say otherwise. */
  @GET
  @Free
  @OwnerOrWallet
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
    Query query = new Query(uri);
    LocalDate to =
        query
            .day("to")
            .orElseGet(() -> LocalDate.ofInstant(services.clock().instant(), ZoneOffset.UTC));
    LocalDate from = query.day("from").orElseGet(() -> to.minusDays(DAYS - 1L));
    if (from.isAfter(to)) {
      throw Refused.invalid("'from' is not after 'to'.");
    }
    Optional<UsageLine> after = query.cursor().map(UsageResource::place);
    Optional<SignedInWallet> wallet = SignedInWallet.of(security.getUserPrincipal());
    List<UsageLine> lines =
        wallet.isPresent()
            ? services.purchases().of(wallet.get(), from, to, after, query.limit())
            : services
                .accounts()
                .usage(
                    new UsageQuery(KeyOwner.of(security).account(), query.id("key"), from, to),
                    after,
                    query.limit());
    return HouseJson.of(query.page(lines, UsageResource::cursor, Line::of));
  }

  private static String cursor(UsageLine line) {
    return line.day() + SEPARATOR + line.key() + SEPARATOR + line.group();
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
