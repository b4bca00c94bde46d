package dev.octroi.api.language;

import dev.octroi.payments.Paid;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Problem;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/** The messages protocol (specification, messages). */
@Path(Dialects.MESSAGES)
public class MessagesResource {

  private static final String VERSION = "anthropic-version";
  private static final String SUPPORTED = "2023-06-01";

  private final LanguageDesk desk;

  public MessagesResource(@Context Providers providers) {
    this(LanguageDesk.of(providers));
  }

  MessagesResource(LanguageDesk desk) {
    this.desk = desk;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Paid(by = LanguageTariff.class)
  public Response messages(
      byte[] body,
      @HeaderParam(VERSION) @Nullable String version,
      @Context SecurityContext security) {
    if (!SUPPORTED.equals(version)) {
      String sentence = VERSION + ": the header is required and its value is " + SUPPORTED;
      return Problems.response(Dialect.MESSAGES, Problem.of(400, sentence, "invalid_params"));
    }
    return desk.answer(Dialect.MESSAGES, body, security);
  }
}
