package dev.octroi.api.image;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Settle;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** Drawings, and the jobs that they become where they take long. */
@Path(ImageGroup.GENERATIONS)
@Linking
public class ImageResource {

  private final ImageService service;

  public ImageResource(@Context Providers providers) {
    this(ImageService.of(providers));
  }

  ImageResource(ImageService service) {
    this.service = service;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Images: draws pictures from a prompt.",
      schema = "image",
      example = "{\"model\":\"provider-a/image-1\",\"prompt\":\"a toll booth\"}")
  @Paid(by = ImageTariff.class)
  @Described(
      more =
          "The model's price for each picture. 202 with a job if it takes longer than 30 seconds:"
              + " the first poll that finds it done pays.",
      answerSchema = "ImageAnswer",
      acceptedSchema = "ImageJob")
  public Response draw(
      byte[] body,
      @HeaderParam(BaseAddress.HEADER) String base,
      @Context SecurityContext security) {
    return service.draw(body, Payment.of(security.getUserPrincipal()), base);
  }

  @GET
  @Path("{id}")
  @Paid(by = PollTariff.class, settle = Settle.LATER)
  @Described(
      value = "Ask for a job",
      more = "With a payment of the same wallet, or the same key.",
      answerSchema = "ImageAnswer",
      acceptedSchema = "ImageJob")
  public Response poll(
      @PathParam("id") String id,
      @HeaderParam(BaseAddress.HEADER) String base,
      @Context SecurityContext security) {
    return service.poll(id, Payment.of(security.getUserPrincipal()), base);
  }
}
