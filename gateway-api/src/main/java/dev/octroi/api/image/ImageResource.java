package dev.octroi.api.image;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Deferral;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageRequests;
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
import java.util.List;
import java.util.Optional;

/** Drawings, and the jobs that they become where they take long. */
@Path(ImageGroup.GENERATIONS)
@Linking
public class ImageResource {

  private final ImageService service;

  public ImageResource(@Context Providers providers) {
    service = ImageService.of(providers);
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
              + " the first poll that finds it done pays. stream: true with partial_images is"
              + " answered by events of one picture, and makes no job.",
      answerSchema = "ImageAnswer",
      acceptedSchema = "ImageJob",
      answerTypes = {"application/json", "text/event-stream"})
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

  /**
   * The price of drawings: the model's for each picture. A model, size or number that has no price
   * is 400, without a challenge (decisions, order of work).
   */
  public static final class ImageTariff implements Tariff {

    private final ImageRequests requests;

    public ImageTariff(ImageRequests requests) {
      this.requests = requests;
    }

    @Override
    public Usd price(PricedRequest request) {
      return new Usd(requests.quote(ImageBody.ofJson(request.body()), false).micros());
    }
  }

  /**
   * The price of a poll: that of the job, once it is done and as long as it is not paid (money rule
   * 9). A job that is not known is 404.
   */
  public static final class PollTariff implements Tariff {

    private final ImageJobs jobs;

    PollTariff(ImageJobs jobs) {
      this.jobs = jobs;
    }

    @Override
    public Usd price(PricedRequest request) {
      String name = request.pathParameters().getOrDefault("id", List.of("")).get(0);
      ImageJob job = ImageJob.id(name).flatMap(jobs::find).orElseThrow(JobAnswers::unknown);
      boolean due = job.state() == JobState.COMPLETED && !jobs.isPaid(job);
      request.note(
          new Deferral(
              job.terms().owner(),
              job.terms().price(),
              due,
              job.envelope(),
              Optional.of(job.active())));
      return job.terms().price();
    }
  }
}
