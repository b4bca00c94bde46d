package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.KeyIssue.NewKey;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.wallet.WalletResource.KeyView;
import dev.octroi.api.wallet.WalletResource.LimitChanges;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.Accounts.KeySearch;
import dev.octroi.payments.account.Accounts.KeyState;
import dev.octroi.payments.account.Accounts.Spent;
import dev.octroi.payments.account.ApiKey;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** API keys: making, showing, ending and replacing them. */
@Path("/admin/v1/keys")
@OperatorOnly
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class KeysResource {

  private static final Duration OVERLAP = Duration.ofHours(24);

  private final OperatorServices services;

  public KeysResource(@Context Providers providers) {
    this(OperatorServices.of(providers));
  }

  KeysResource(OperatorServices services) {
    this.services = services;
  }

  /** A key and its secret, which is told this once. */
  record Issued(String secret, Shown key) {}

  record Shown(
      KeyView key,
      java.util.List<dev.octroi.api.wallet.WalletResource.Funds.Balance> wallets,
      @Nullable Usd spentToday,
      @Nullable Usd spentThisMonth) {}

  record Rotation(@Nullable Long overlapSeconds) {}

  @POST
  @Free
  public Response create(byte[] body) {
    NewKey asked = HouseJson.read(body, NewKey.class);
    IssuedKey issued = services.keys().create(asked);
    return Response.status(Response.Status.CREATED).entity(json(issued)).build();
  }

  /** Those that fit all that is given: account, state, a part of the name, and when it was made. */
  @GET
  @Free
  public byte[] list(@Context UriInfo uri) {
    Query query = new Query(uri);
    KeySearch search = search(query);
    return HouseJson.of(
        query.page(
            (after, most) -> services.accounts().keys(search, after, most),
            ApiKey::id,
            this::view));
  }

  private static KeySearch search(Query query) {
    return new KeySearch(
        query.id("account"),
        query.text("name"),
        query.one("state", KeyState.class),
        query.time("since"),
        query.time("until"));
  }

  @GET
  @Path("{id}")
  @Free
  public byte[] show(@PathParam("id") String id) {
    return HouseJson.of(shown(found(services.accounts().key(Query.pathId(id)))));
  }

  @POST
  @Path("{id}/revoke")
  @Free
  public byte[] revoke(@PathParam("id") String id) {
    return HouseJson.of(view(found(services.accounts().revoke(Query.pathId(id)))));
  }

  /** Gives the key a new secret; the old one ends after the overlap, a day unless said. */
  @POST
  @Path("{id}/rotate")
  @Free
  public byte[] rotate(@PathParam("id") String id, byte[] body) {
    UUID key = Query.pathId(id);
    Long seconds = body.length == 0 ? null : HouseJson.read(body, Rotation.class).overlapSeconds();
    Duration overlap = seconds == null ? OVERLAP : Duration.ofSeconds(seconds);
    return json(found(checked(() -> services.accounts().rotate(key, overlap))));
  }

  /** Changes what the operator grants: null is no limit, and what is absent stays as it is. */
  @PUT
  @Path("{id}/limits")
  @Free
  public byte[] grant(@PathParam("id") String id, byte[] body) {
    UUID key = Query.pathId(id);
    LimitChanges changes = HouseJson.read(body, LimitChanges.class);
    return HouseJson.of(view(found(services.accounts().grant(key, changes::of))));
  }

  private byte[] json(IssuedKey issued) {
    return HouseJson.of(new Issued(issued.secret(), shown(issued.key())));
  }

  private Shown shown(ApiKey key) {
    Optional<Spent> spent = services.accounts().spent(key.id());
    return new Shown(
        view(key),
        services.funds().of(services.accounts().wallets(key.account())),
        spent.map(Spent::today).orElse(null),
        spent.map(Spent::thisMonth).orElse(null));
  }

  private KeyView view(ApiKey key) {
    return KeyView.of(key, services.clock().instant());
  }

  private static <T> T found(Optional<T> key) {
    return key.orElseThrow(() -> Refused.unknown("There is no such key, or it is revoked."));
  }

  private static <T> T checked(java.util.function.Supplier<T> change) {
    try {
      return change.get();
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("The overlap is 0 to 30 days.");
    }
  }
}
