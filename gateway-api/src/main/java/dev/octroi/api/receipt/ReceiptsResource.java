package dev.octroi.api.receipt;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.wallet.CallerGate;
import dev.octroi.api.wallet.OwnerIfAny;
import dev.octroi.payments.Free;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.Purchase;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.Map;
import java.util.Optional;
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
    this(ReceiptServices.of(providers));
  }

  ReceiptsResource(ReceiptServices services) {
    this.services = services;
  }

  @GET
  @Path("{id}")
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(
      value = "A payment of yours",
      more = "By its id or its transaction, with the payment's own header or the key that paid.",
      answer = ReceiptView.class)
  public Response receipt(
      @PathParam("id") String id,
      @Context HttpHeaders headers,
      @Context SecurityContext security,
      @Context UriInfo uri) {
    Optional<ApiKey> key = CallerGate.owner(security);
    Purchase purchase =
        (key.isPresent()
                ? services.sales().ofAccount(id, key.get())
                : services.sales().ofPayer(id, headers.getRequestHeaders()))
            .orElseThrow(() -> Refused.unknown("There is no such payment of yours."));
    return Response.ok(HouseJson.of(ReceiptView.of(purchase, signed(purchase, uri))))
        .header(HttpHeaders.CACHE_CONTROL, "private, no-store")
        .build();
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
}
