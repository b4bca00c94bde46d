package dev.octroi.api.wallet;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.wallet.OwnerGate.CallerGate;
import dev.octroi.api.wallet.OwnerGate.CallerGate.OwnerIfAny;
import dev.octroi.payments.Free;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.flow.StatedKey;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Purchases;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of a payment, by the payment's id or its transaction, for its payer; what an API key
 * paid for, by its id, for the key's account.
 */
@Path("/v1/receipts")
@OwnerIfAny
public class ReceiptsResource {

  private final ReceiptServices services;

  public ReceiptsResource(@Context Providers providers) {
    services = ReceiptServices.of(providers);
  }

  @GET
  @Path("{id}")
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(
      value = "A payment of yours",
      more =
          "By its id or its transaction, with the payment's own header or the key that paid; by its"
              + " id signed in with the wallet that paid.",
      answer = ReceiptView.class)
  public Response receipt(
      @PathParam("id") String id,
      @Context HttpHeaders headers,
      @Context SecurityContext security,
      @Context UriInfo uri) {
    Purchase purchase =
        found(id, headers, security)
            .orElseThrow(() -> Refused.unknown("There is no such payment of yours."));
    return Response.ok(HouseJson.of(ReceiptView.of(purchase, signed(purchase, uri))))
        .header(HttpHeaders.CACHE_CONTROL, "private, no-store")
        .build();
  }

  private Optional<Purchase> found(String id, HttpHeaders headers, SecurityContext security) {
    Optional<ApiKey> key = CallerGate.owner(security);
    if (key.isPresent()) {
      return services.sales().ofAccount(id, key.get());
    }
    Optional<SignedInWallet> wallet = SignedInWallet.of(security.getUserPrincipal());
    return wallet.isPresent()
        ? services.sales().ofWallet(id, wallet.get())
        : services.sales().ofPayer(id, headers.getRequestHeaders());
  }

  private @Nullable Map<String, Object> signed(Purchase purchase, UriInfo uri) {
    String transaction = purchase.transaction();
    if (purchase.state() != PaymentState.SETTLED || transaction == null) {
      return null;
    }
    ReceiptSigner.Receipt receipt =
        new ReceiptSigner.Receipt(
            purchase.key().network(),
            address(purchase, uri),
            ReceiptView.payer(purchase),
            services.clock().instant(),
            transaction);
    return services.signer().map(signer -> signer.sign(receipt)).orElse(null);
  }

  private String address(Purchase purchase, UriInfo uri) {
    String path =
        purchase.query().isEmpty() ? purchase.path() : purchase.path() + "?" + purchase.query();
    return services.publicUrl().orElse(uri.getBaseUri()).resolve(path).toString();
  }

  /**
   * A payment as its payer sees it.
   *
   * @param state settling, settled, failed or in_doubt
   * @param amount what was charged, or will be
   * @param receipt signed as the protocol's extension {@code offer-receipt} has it; null where
   *     there is no key to sign with, or nothing was paid
   */
  private record ReceiptView(
      String id,
      String state,
      Usd amount,
      String network,
      String asset,
      String payer,
      String payTo,
      @Nullable String transaction,
      String method,
      String path,
      boolean delivered,
      Instant claimedAt,
      @Nullable Instant settledAt,
      @Nullable Instant deliveredAt,
      @Nullable Map<String, Object> receipt) {

    static ReceiptView of(Purchase purchase, @Nullable Map<String, Object> receipt) {
      return new ReceiptView(
          purchase.id().toString(),
          purchase.state().name().toLowerCase(Locale.ROOT),
          new Usd(purchase.charged()),
          purchase.key().network(),
          purchase.asset(),
          payer(purchase),
          purchase.payTo(),
          purchase.transaction(),
          purchase.method(),
          purchase.path(),
          purchase.delivered(),
          purchase.claimedAt(),
          purchase.settledAt(),
          purchase.deliveredAt(),
          receipt);
    }

    /** Checksummed on EVM, as the payer saw it in its answer. */
    static String payer(Purchase purchase) {
      return StatedKey.payer(purchase.key());
    }
  }

  /**
   * What the receipts' resource works with.
   *
   * @param signer signs receipts; empty where they go unsigned
   * @param publicUrl below which the world reaches the gateway, if that was set
   */
  public record ReceiptServices(
      Sales sales, Optional<ReceiptSigner> signer, Optional<URI> publicUrl, Clock clock) {

    /** Payments, as those find them who made them. */
    public record Sales(Payments payments, Purchases purchases, Accounts accounts) {

      /** The payment that the same payment header made. */
      Optional<Purchase> ofPayer(String id, MultivaluedMap<String, String> headers) {
        return payments.purchase(id, name -> headers.getOrDefault(name, List.of()));
      }

      /** The payment of this id, by a wallet of the payer's own. */
      Optional<Purchase> ofWallet(String id, SignedInWallet asking) {
        return uuid(id)
            .flatMap(purchases::find)
            .filter(purchase -> purchase.apiKey().isEmpty())
            .filter(purchase -> asking.networks().contains(purchase.key().network()))
            .filter(purchase -> ReceiptView.payer(purchase).equals(asking.payer()));
      }

      /** The payment of this id, by any key of the account; it has no index by transaction. */
      Optional<Purchase> ofAccount(String id, ApiKey asking) {
        return uuid(id)
            .flatMap(purchases::find)
            .filter(
                purchase ->
                    purchase
                        .apiKey()
                        .flatMap(accounts::key)
                        .filter(paying -> paying.account().equals(asking.account()))
                        .isPresent());
      }

      private static Optional<UUID> uuid(String id) {
        try {
          return Optional.of(UUID.fromString(id));
        } catch (IllegalArgumentException e) {
          return Optional.empty();
        }
      }
    }

    /**
     * The services that are mounted in an application.
     *
     * @throws IllegalStateException if no gateway is mounted there
     */
    static ReceiptServices of(Providers providers) {
      return Mounted.of(providers, ReceiptServices.class);
    }
  }
}
