package dev.octroi.examples.bookshop;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The bookshop's own resource, a bean as it always was; one of its methods is sold now. */
@ApplicationScoped
@Path("/books")
@Produces(MediaType.TEXT_PLAIN)
public class Books {

  @Inject Shelf shelf;

  /** The books there are. */
  @GET
  @Free
  public String list() {
    return String.join("\n", shelf.names());
  }

  /** What a book begins with. */
  @GET
  @Path("{name}")
  @Paid("0.02")
  public String read(@PathParam("name") String name) {
    return shelf.firstWords(name).orElseThrow(NotFoundException::new);
  }
}
