package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.wallet.WalletResource.Funds;
import dev.octroi.payments.Free;
import dev.octroi.payments.account.Account;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.UUID;

/** Managed wallets: where they are funded, what they have, and under which key they are sealed. */
@Path("/admin/v1/wallets")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class WalletsResource {

  private final OperatorServices services;

  public WalletsResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  record OfAccount(UUID account, String name, List<Sealed> wallets, List<Funds.Balance> balances) {}

  record Sealed(String kind, String address, String sealedUnder) {}

  record Resealed(int resealed) {}

  @GET
  @Free
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(
        new Query(uri).page(services.accounts()::accounts, Account::id, this::shown));
  }

  /** Seals what older master keys have sealed, wallets and changes, under the newest one. */
  @POST
  @Path("reseal")
  @Free
  public byte[] reseal() {
    try {
      int wallets = services.accounts().reseal();
      return HouseJson.of(new Resealed(wallets + services.live().reseal()));
    } catch (NoMasterKey e) {
      throw Refused.of(409, "gateway.keys.master-key is not set.");
    }
  }

  private OfAccount shown(Account account) {
    var wallets = services.accounts().wallets(account.id());
    return new OfAccount(
        account.id(),
        account.name(),
        wallets.stream()
            .map(wallet -> new Sealed(wallet.kind(), wallet.address(), wallet.sealedUnder()))
            .toList(),
        services.funds().of(wallets));
  }
}
