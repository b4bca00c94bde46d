package dev.octroi.api.console;

import dev.octroi.api.console.Console.ConsoleFile;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.Arrays;
import java.util.Optional;

/**
 * Serves the console's files to any caller: they hold no secret, and what they show comes from the
 * operator's interface, to the operator only.
 */
@Path("/console")
public class ConsoleResource {

  /** Scripts, styles and calls of this origin; nothing inline, nothing framed, nothing posted. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final Console console;

  public ConsoleResource(@Context Providers providers) {
    console = Console.of(providers);
  }

  @GET
  @Free
  @Described(value = "The operator's console", answerTypes = "text/html")
  public Response page(@Context HttpHeaders headers) {
    return answer(console.page(), headers);
  }

  @GET
  @Path("{file: [a-z.]+}")
  @Free
  public Response file(@PathParam("file") String file, @Context HttpHeaders headers) {
    return answer(console.file(file), headers);
  }

  private static Response answer(Optional<ConsoleFile> file, HttpHeaders headers) {
    return file.map(found -> answer(found, headers))
        .orElseGet(() -> ErrorAnswer.flat(404, "There is no such path.").response());
  }

  private static Response answer(ConsoleFile file, HttpHeaders headers) {
    Response.ResponseBuilder response =
        isKnown(file, headers)
            ? Response.notModified()
            : Response.ok(file.bytes()).header(HttpHeaders.CONTENT_TYPE, file.type());
    return response
        .header(HttpHeaders.ETAG, file.tag())
        // Asked for again each time, so that the files of one version are never mixed with
        // another's.
        .header(HttpHeaders.CACHE_CONTROL, "no-cache")
        .header("Content-Security-Policy", POLICY)
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .build();
  }

  private static boolean isKnown(ConsoleFile file, HttpHeaders headers) {
    String known = headers.getHeaderString(HttpHeaders.IF_NONE_MATCH);
    return known != null
        && Arrays.stream(known.split(",", -1)).map(String::strip).anyMatch(file.tag()::equals);
  }
}
