package dev.octroi.api.wallet;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.Spent;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.UUID;

/** The wallets and limits of the key that asks; free. */
@Path("/v1/wallet")
@OwnerOnly
public class WalletResource {

  private final OwnerServices services;

  public WalletResource(@Context Providers providers) {
    this(OwnerServices.of(providers));
  }

  WalletResource(OwnerServices services) {
    this.services = services;
  }

  record Wallet(UUID account, KeyView key, List<Funds.Balance> wallets) {}

  record LimitsAnswer(SpendLimits granted, SpendLimits own, SpendLimits limits, SpentView spent) {}

  record SpentView(Usd today, Usd thisMonth) {}

  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(value = "The key's wallets", answer = Wallet.class)
  public byte[] wallet(@Context SecurityContext security) {
    ApiKey key = KeyOwner.of(security);
    return HouseJson.of(
        new Wallet(
            key.account(),
            KeyView.of(key, services.clock().instant()),
            services.funds().of(services.accounts().wallets(key.account()))));
  }

  @GET
  @Path("limits")
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(value = "The key's limits", answer = LimitsAnswer.class)
  public byte[] limits(@Context SecurityContext security) {
    // Not the key that was recognised: that one may be a few seconds old.
    return answer(
        services.accounts().key(KeyOwner.of(security).id()).orElseThrow(WalletResource::gone));
  }

  /** Sets what the owner allows; null takes a limit of his away, never one of the operator's. */
  @PUT
  @Path("limits")
  @Free
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @Described(value = "Set limits", body = SpendLimits.class, answer = LimitsAnswer.class)
  public byte[] restrict(byte[] body, @Context SecurityContext security) {
    SpendLimits own = HouseJson.read(body, SpendLimits.class);
    return answer(
        services
            .accounts()
            .restrict(KeyOwner.of(security).id(), own.limits())
            .orElseThrow(WalletResource::gone));
  }

  private byte[] answer(ApiKey key) {
    Spent spent = services.accounts().spent(key.id()).orElseThrow(WalletResource::gone);
    return HouseJson.of(
        new LimitsAnswer(
            SpendLimits.of(key.granted()),
            SpendLimits.of(key.own()),
            SpendLimits.of(key.limits()),
            new SpentView(spent.today(), spent.thisMonth())));
  }

  private static RuntimeException gone() {
    return Refused.unknown("This key is not there any more.");
  }
}
