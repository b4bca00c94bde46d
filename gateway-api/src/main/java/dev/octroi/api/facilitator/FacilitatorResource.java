package dev.octroi.api.facilitator;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.discovery.DiscoveryResource;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.facilitator.FacilitatorGate.FacilitatorOnly;
import dev.octroi.api.facilitator.ServedSettlement.IdempotencyKey;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorUnavailable;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.FacilitatorRequest;
import dev.octroi.payments.x402.MalformedPayment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The facilitator interface (x402): what a payment lacks is told with 200. */
@Path("/facilitator")
@Produces(MediaType.APPLICATION_JSON)
public class FacilitatorResource {

  private static final Logger LOG = LoggerFactory.getLogger(FacilitatorResource.class);

  /** A claim of 100 channels has some 70 KB; the terms come twice beside it. */
  private static final int MAX_BODY = 128 << 10;

  private static final Duration SOON = Duration.ofSeconds(1);

  private final ServedFacilitator facilitator;
  private final DiscoveryResource discovery;

  public FacilitatorResource(@Context Providers providers) {
    facilitator = ServedFacilitator.of(providers);
    discovery = new DiscoveryResource(providers);
  }

  @POST
  @Path("verify")
  @FacilitatorOnly
  @Free
  @Described(
      value = "Verify a payment",
      bodySchema = "FacilitatorRequest",
      answerSchema = "VerifyAnswer")
  public Response verify(InputStream body) {
    return answer(body, facilitator::verify);
  }

  @POST
  @Path("settle")
  @FacilitatorOnly
  @Free
  @Described(
      value = "Settle a payment",
      bodySchema = "FacilitatorRequest",
      answerSchema = "SettleAnswer")
  public Response settle(
      @HeaderParam(IdempotencyKey.HEADER) @Nullable String key,
      @HeaderParam(HttpHeaders.AUTHORIZATION) @Nullable String credential,
      InputStream body) {
    return IdempotencyKey.of(key, credential)
        .map(known -> answer(body, request -> facilitator.settle(request, known)))
        .orElseGet(() -> ErrorAnswer.flat(400, IdempotencyKey.RULE).response());
  }

  @GET
  @Path("supported")
  @FacilitatorOnly
  @Free
  @Described(value = "What is taken", answerSchema = "Supported")
  public byte[] supported() {
    return facilitator.supported();
  }

  /** For clients that ask a facilitator what can be bought; they need no token for that. */
  @GET
  @Path("discovery/resources")
  @Counted
  @Linking
  @Free
  @Described("What can be bought, as at /discovery/resources")
  public Response resources(@Context UriInfo uri, @HeaderParam(BaseAddress.HEADER) String base) {
    return discovery.resources(uri, base);
  }

  private static Response answer(InputStream body, Function<FacilitatorRequest, byte[]> verb) {
    try {
      byte[] bytes = body.readNBytes(MAX_BODY + 1);
      return bytes.length > MAX_BODY
          ? ErrorAnswer.flat(413, "The body is too large.").response()
          : Response.ok(verb.apply(FacilitatorRequest.read(bytes))).build();
    } catch (MalformedPayment e) {
      return ErrorAnswer.flat(400, String.valueOf(e.getMessage())).response();
    } catch (LedgerUnavailable | FacilitatorUnavailable e) {
      LedgerUnavailable.log(LOG, "Another server's payment could not be taken", e);
      return ErrorAnswer.flat(503, "Payments cannot be taken at the moment.")
          .retryAfter(SOON)
          .response();
    } catch (IOException e) {
      return ErrorAnswer.flat(400, "The body could not be read.").response();
    }
  }
}
