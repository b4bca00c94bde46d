package dev.octroi.api.operator;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.payments.Free;
import dev.octroi.payments.books.BookExport.Format;
import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.books.Period;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The books: verified, and taken away line by line. */
@Path("/admin/v1/books")
@OperatorOnly
public class BooksResource {

  private static final int TOLD = 100;

  private final OperatorServices services;

  public BooksResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  record Report(
      boolean clean,
      Instant at,
      @Nullable Instant closedBefore,
      long payments,
      long lines,
      long proven,
      long unproven,
      long channels,
      List<Difference> differences,
      boolean more) {

    static Report of(BookReport report) {
      return new Report(
          report.isClean(),
          report.at(),
          report.closedBefore().orElse(null),
          report.payments(),
          report.lines(),
          report.proven(),
          report.unproven(),
          report.channels(),
          report.differences(),
          report.hasMore());
    }
  }

  @POST
  @Path("verify")
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] verify(@Context UriInfo uri) {
    return HouseJson.of(
        services
            .books()
            .verification()
            .verifyAlone(period(uri), TOLD)
            .map(Report::of)
            .orElseThrow(
                () -> Refused.busy("Another verification is under way: wait for its end.")));
  }

  /**
   * A stream, for the books of a year are no page. Months that are closed have no movements any
   * more: a period within them is refused, one that reaches out of them begins with balances.
   */
  @GET
  @Path("export")
  @Free
  public Response export(@Context UriInfo uri) {
    Period period = period(uri);
    Format format = new Query(uri).one("format", Format.class).orElse(Format.CSV);
    requireOpen(period);
    StreamingOutput lines =
        out -> {
          if (!services.books().export().write(period, format, out)) {
            throw Refused.busy("Another export is under way: wait for its end.");
          }
        };
    return Response.ok(lines, format.mediaType())
        .header("Content-Disposition", "attachment; filename=\"octroi-books." + word(format) + "\"")
        .build();
  }

  private void requireOpen(Period period) {
    services
        .books()
        .export()
        .closedBefore()
        .filter(closed -> !period.to().isAfter(closed))
        .ifPresent(
            closed -> {
              throw Refused.of(409, "The books are closed for all that was before " + closed + ".");
            });
  }

  private static String word(Format format) {
    return format == Format.CSV ? "csv" : "jsonl";
  }

  private static Period period(UriInfo uri) {
    return new Query(uri).period(to -> Period.ALL.from(), Period.ALL.to());
  }
}
