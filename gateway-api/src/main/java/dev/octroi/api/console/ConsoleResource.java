package dev.octroi.api.console;

import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.PageFiles;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Optional;

/**
 * Serves the console's files to any caller: they hold no secret, and what they show comes from the
 * operator's interface, to the operator only.
 */
@Path("/console")
public class ConsoleResource {

  private final Console console;

  public ConsoleResource(@Context Providers providers) {
    console = Mounted.of(providers, Console.class);
  }

  @GET
  @Free
  @Described(value = "The operator's console", answerTypes = "text/html")
  public Response page(@Context HttpHeaders headers) {
    return answer(console.files().map(files -> files.page(headers)));
  }

  @GET
  @Path("{file: [a-z.]+}")
  @Free
  public Response file(@PathParam("file") String file, @Context HttpHeaders headers) {
    return answer(console.files().flatMap(files -> files.file(file, headers)));
  }

  private static Response answer(Optional<Response.ResponseBuilder> file) {
    return file.map(
            found ->
                found
                    .header("Cross-Origin-Opener-Policy", "same-origin")
                    .header("Cross-Origin-Resource-Policy", "same-origin")
                    .build())
        .orElseGet(() -> ErrorAnswer.flat(404, "There is no such path.").response());
  }

  /**
   * What the console consists of. Thread-safe.
   *
   * @param files empty where it is closed
   */
  public record Console(Optional<PageFiles> files) {

    /** The console's resource classes, for {@code Application#getClasses}. */
    public static final List<Class<?>> RESOURCES = List.of(ConsoleResource.class);

    /** Scripts, styles and calls of this origin; nothing inline, nothing framed, nothing posted. */
    private static final String POLICY =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final List<String> FILES =
        List.of(
            "actions.js",
            "api.js",
            "changes.js",
            "chart.umd.js",
            "console.css",
            "credit.js",
            "dom.js",
            "doubt.js",
            "failures.js",
            "format.js",
            "grain.js",
            "icon.svg",
            "keys.js",
            "main.js",
            "margin.js",
            "operators.js",
            "overview.js",
            "payment.js",
            "payments.js",
            "plot.js",
            "prices.js",
            "routes.js",
            "table.js",
            "upstreams.js",
            "webhooks.js",
            "work.js");

    /** Open if it is wanted and there is an operator's token to sign in with. */
    public static Console of(GatewaySettings settings) {
      return new Console(
          Optional.of(new PageFiles(ConsoleResource.class, POLICY, "index.html", FILES))
              .filter(
                  files ->
                      settings.console().enabled() && !settings.admin().token().value().isEmpty()));
    }
  }
}
