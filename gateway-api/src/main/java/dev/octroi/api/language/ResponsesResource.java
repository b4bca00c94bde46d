package dev.octroi.api.language;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.services.language.Dialect;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** The responses protocol, without anything that is kept between calls. */
@Path(Dialects.RESPONSES)
public class ResponsesResource {

  private final LanguageService service;

  public ResponsesResource(@Context Providers providers) {
    service = LanguageService.of(providers);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Chat: a language model's answer, in the responses protocol.",
      schema = "responses",
      example = "{\"model\":\"auto/eco\",\"max_output_tokens\":64,\"input\":\"Hello\"}")
  @Paid(by = LanguageTariff.class)
  @Described(
      more = "Nothing is kept between calls.",
      answerSchema = "ResponsesAnswer",
      answerTypes = {"application/json", "text/event-stream"})
  public Response responses(byte[] body, @Context SecurityContext security) {
    return service.answer(Dialect.RESPONSES, body, security);
  }

  /** Counts without asking a vendor, for nothing. */
  @POST
  @Path(Dialects.INPUT_TOKENS)
  @Consumes(MediaType.APPLICATION_JSON)
  @Free
  @Counted
  @Described(
      value = "The most tokens that a prompt may have, as a call of it is quoted",
      bodySchema = "ResponsesCountBody",
      example = "{\"model\":\"auto/eco\",\"input\":\"Hello\"}",
      answerSchema = "ResponsesCount")
  public Response count(byte[] body) {
    return service.count(Dialect.RESPONSES, body);
  }
}
