package dev.octroi.api.image;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Owner;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pictures that take longer than their call. */
@Path("/admin/v1/jobs")
@OperatorOnly
public class JobsResource {

  private final JobList jobs;

  public JobsResource(@Context Providers providers) {
    jobs = Mounted.of(providers, JobList.class);
  }

  /** The latest ordered first. */
  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] list(@Context UriInfo uri) {
    return HouseJson.of(jobs.page(new Query(uri)));
  }

  /** Jobs for the operator to look at, without what is private in them. Thread-safe. */
  public static final class JobList {

    private final Listing listing;
    private final Listing.Table<Row> jobs;

    /**
     * @param vault opens results, of which only a failure's is told
     */
    public JobList(Listing listing, AnswerVault vault) {
      this.listing = listing;
      JobRows rows = new JobRows(new JobSeal(vault));
      this.jobs =
          new Listing.Table<>(
              JobRows.SELECT,
              "created_at",
              "state",
              true,
              UUID::fromString,
              (row, context) -> row(rows.job(row)),
              row -> new Listing.Place(row.created(), row.id().toString()));
    }

    /**
     * A job.
     *
     * @param id in the database
     * @param name what callers know it by
     * @param state queued, in_progress, completed or failed
     * @param attempt how often it was begun
     * @param node which runs it; null while any node may, and in the end
     * @param payment the one that may pay for it
     */
    public record Row(
        UUID id,
        String name,
        String state,
        String model,
        String size,
        int pictures,
        Usd price,
        String owner,
        int attempt,
        @Nullable String node,
        UUID payment,
        boolean settled,
        Instant created) {}

    Page<Row> page(Query query) {
      return listing.page(jobs, query);
    }

    private static Row row(ImageJob job) {
      JobTerms terms = job.terms();
      return new Row(
          job.id(),
          job.name(),
          job.state().word(),
          terms.model(),
          terms.size(),
          terms.n(),
          terms.price(),
          terms.owner(),
          job.attempt(),
          job.runner().map(Owner::node).orElse(null),
          job.active().payment(),
          job.settled(),
          job.created());
    }
  }
}
