package dev.octroi.api.wallet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.wallet.OwnerGate.KeyOwner;
import dev.octroi.api.wallet.OwnerGate.OwnerOnly;
import dev.octroi.api.wallet.OwnerGate.WalletGate.OwnerOrWallet;
import dev.octroi.payments.Admission;
import dev.octroi.payments.Free;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.Accounts.Spent;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.ManagedWallet.WalletAddress;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.flow.SignIns;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The wallets and limits of the key that asks, or the wallet that is signed in; free. */
@Path("/v1/wallet")
@Produces(MediaType.APPLICATION_JSON)
public class WalletResource {

  private final OwnerServices services;

  public WalletResource(@Context Providers providers) {
    services = OwnerServices.of(providers);
  }

  /**
   * What the caller pays from.
   *
   * @param account null for a wallet that is signed in, as is the key
   */
  record Wallet(@Nullable UUID account, @Nullable KeyView key, List<Funds.Balance> wallets) {}

  record LimitsAnswer(SpendLimits granted, SpendLimits own, SpendLimits limits, SpentView spent) {}

  record SpentView(Usd today, Usd thisMonth) {}

  @GET
  @Free
  @OwnerOrWallet
  @Described(
      value = "The key's wallets",
      more = "Or the wallet that is signed in, where wallets may sign in.",
      answer = Wallet.class)
  public byte[] wallet(@Context SecurityContext security) {
    Optional<SignedInWallet> wallet = SignedInWallet.of(security.getUserPrincipal());
    if (wallet.isPresent()) {
      return HouseJson.of(new Wallet(null, null, services.funds().of(wallet.get())));
    }
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
  @OwnerOnly
  @Described(value = "The key's limits", answer = LimitsAnswer.class)
  public byte[] limits(@Context SecurityContext security) {
    // Not the key that was recognised: that one may be a few seconds old.
    return answer(
        services.accounts().key(KeyOwner.of(security).id()).orElseThrow(WalletResource::gone));
  }

  /**
   * Changes what the owner allows: null takes a limit of his away, never one of the operator's, and
   * what is absent stays as it is.
   */
  @PUT
  @Path("limits")
  @Free
  @OwnerOnly
  @Consumes(MediaType.APPLICATION_JSON)
  @Described(value = "Set limits", body = SpendLimits.class, answer = LimitsAnswer.class)
  public byte[] restrict(byte[] body, @Context SecurityContext security) {
    LimitChanges own = HouseJson.read(body, LimitChanges.class);
    return answer(
        services
            .accounts()
            .restrict(KeyOwner.of(security).id(), own::of)
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

  /**
   * Limits of spending as JSON.
   *
   * @param perCall maximum price per call; null for no limit
   * @param daily all calls of a day, UTC
   * @param monthly all calls of a month, UTC
   */
  public record SpendLimits(@Nullable Usd perCall, @Nullable Usd daily, @Nullable Usd monthly) {

    public static SpendLimits of(KeyLimits limits) {
      return new SpendLimits(
          limits.perCall().orElse(null),
          limits.daily().orElse(null),
          limits.monthly().orElse(null));
    }
  }

  /**
   * Changes of limits as JSON: an absent member leaves its limit as it is, null is no limit.
   *
   * @param perCall maximum price per call; null, which is an absent member, for no change
   * @param daily all calls of a day, UTC, in the same way
   * @param monthly all calls of a month, UTC, in the same way
   */
  public record LimitChanges(
      @Nullable Limit perCall, @Nullable Limit daily, @Nullable Limit monthly) {

    /** The limits after the change. */
    public KeyLimits of(KeyLimits before) {
      return new KeyLimits(
          after(perCall, before.perCall()),
          after(daily, before.daily()),
          after(monthly, before.monthly()));
    }

    private static Optional<Usd> after(@Nullable Limit named, Optional<Usd> before) {
      return named == null ? before : Optional.ofNullable(named.amount());
    }

    /**
     * A limit that is named.
     *
     * @param amount null for no limit
     */
    @JsonDeserialize(using = Limit.Reader.class)
    public record Limit(@Nullable Usd amount) {

      /** Tells null from what is absent. */
      static final class Reader extends JsonDeserializer<Limit> {

        @Override
        public Limit deserialize(JsonParser json, DeserializationContext context)
            throws IOException {
          return new Limit(context.readValue(json, Usd.class));
        }

        @Override
        public Limit getNullValue(DeserializationContext context) {
          return new Limit(null);
        }

        @Override
        public @Nullable Object getAbsentValue(DeserializationContext context) {
          return null;
        }
      }
    }
  }

  /**
   * What the resources of a key's owner work with.
   *
   * @param admission counts who comes without a good key
   * @param signIns lets payers in by their wallets; empty where they cannot
   * @param purchases what wallets have bought
   */
  public record OwnerServices(
      Accounts accounts,
      Funds funds,
      Admission admission,
      Optional<SignIns> signIns,
      WalletUsage purchases,
      Clock clock) {

    /** The resource classes, for {@code Application#getClasses}. */
    public static final List<Class<?>> RESOURCES =
        List.of(WalletResource.class, UsageResource.class);

    /**
     * The services that are mounted in an application.
     *
     * @throws IllegalStateException if no gateway is mounted there
     */
    static OwnerServices of(Providers providers) {
      return Mounted.of(providers, OwnerServices.class);
    }
  }

  /**
   * A key as it is shown: never its secret.
   *
   * @param state whether it may be used: active, or why not
   * @param prefix the first characters of its secret
   * @param groups that it may call; empty for all
   * @param requestsPerMinute its own rate; null for the setting's
   * @param granted what the operator lets it spend
   * @param own what its owner lets it spend
   * @param limits whatever of both is lower
   */
  public record KeyView(
      UUID id,
      UUID account,
      String name,
      String state,
      String prefix,
      List<String> groups,
      @Nullable Integer requestsPerMinute,
      SpendLimits granted,
      SpendLimits own,
      SpendLimits limits,
      Instant created,
      @Nullable Instant expires,
      @Nullable Instant revoked) {

    public static KeyView of(ApiKey key, Instant now) {
      String state = key.revoked().isPresent() ? "revoked" : key.isGood(now) ? "active" : "expired";
      return new KeyView(
          key.id(),
          key.account(),
          key.name(),
          state,
          key.prefix(),
          key.groups().stream().sorted().toList(),
          key.requestsPerMinute().isPresent() ? key.requestsPerMinute().getAsInt() : null,
          SpendLimits.of(key.granted()),
          SpendLimits.of(key.own()),
          SpendLimits.of(key.limits()),
          key.created(),
          key.expires().orElse(null),
          key.revoked().orElse(null));
    }
  }

  /**
   * What managed wallets have on the networks that are accepted. Thread-safe.
   *
   * @param assets the token that is taken, by network
   * @param balances who knows what accounts have, by network; a network may have none
   */
  public record Funds(Map<String, String> assets, Map<String, Balances> balances) {

    /**
     * A wallet on a network.
     *
     * @param address where it is funded
     * @param balance dollars; null if it cannot be told at the moment
     */
    public record Balance(String network, String asset, String address, @Nullable Usd balance) {}

    public Funds {
      assets = Map.copyOf(assets);
      balances = Map.copyOf(balances);
    }

    /** Each wallet on each network that it pays on. */
    public List<Balance> of(List<WalletAddress> wallets) {
      return wallets.stream()
          .flatMap(
              wallet ->
                  assets.entrySet().stream()
                      .filter(asset -> wallet.paysOn(asset.getKey()))
                      .map(asset -> balance(asset.getKey(), asset.getValue(), wallet.address())))
          .toList();
    }

    /** A wallet of a payer's own, on each network that it is known on. */
    public List<Balance> of(SignedInWallet wallet) {
      return assets.entrySet().stream()
          .filter(asset -> wallet.networks().contains(asset.getKey()))
          .map(asset -> balance(asset.getKey(), asset.getValue(), wallet.payer()))
          .toList();
    }

    private Balance balance(String network, String asset, String address) {
      Balances known = balances.get(network);
      OptionalLong units = known == null ? OptionalLong.empty() : known.of(asset, address);
      boolean fits = units.isPresent() && units.getAsLong() <= Usd.MAX_MICROS;
      return new Balance(network, asset, address, fits ? new Usd(units.getAsLong()) : null);
    }
  }
}
