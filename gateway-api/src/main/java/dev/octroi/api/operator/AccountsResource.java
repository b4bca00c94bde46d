package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.wallet.WalletResource.Funds;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Account;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Accounts and, in the sandbox, their funding. */
@Path("/admin/v1/accounts")
@OperatorOnly
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class AccountsResource {

  private final OperatorServices services;

  public AccountsResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  AccountsResource(OperatorServices services) {
    this.services = services;
  }

  record Shown(Account account, List<Funds.Balance> wallets) {}

  record Funding(@Nullable Usd amount) {}

  @GET
  @Free
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri).page(services.accounts()::accounts, Account::id, Function.identity()));
  }

  @GET
  @Path("{id}")
  @Free
  public byte[] show(@PathParam("id") String id) {
    return HouseJson.of(shown(account(id)));
  }

  @POST
  @Path("{id}/fund")
  @Free
  public byte[] fund(@PathParam("id") String id, byte[] body) {
    Account account = account(id);
    Usd amount = HouseJson.read(body, Funding.class).amount();
    services
        .faucet()
        .give(services.accounts().wallets(account.id()), amount == null ? Usd.ZERO : amount);
    return HouseJson.of(shown(account));
  }

  private Shown shown(Account account) {
    return new Shown(account, services.funds().of(services.accounts().wallets(account.id())));
  }

  private Account account(String id) {
    UUID account = Query.pathId(id);
    return services
        .accounts()
        .account(account)
        .orElseThrow(() -> Refused.unknown("There is no such account."));
  }
}
