package dev.octroi.api.language;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.language.LanguageService.Problems;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.relay.LanguageModels;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages protocol (specification, messages). */
@Path(Dialects.MESSAGES)
public class MessagesResource {

  static final String VERSION = "anthropic-version";

  /**
   * What callers may say they speak. The newer only takes members and places of blocks out of
   * requests and leaves answers as they are, so both are served alike; the vendor's SDKs send it.
   */
  private static final List<String> SUPPORTED = List.of("2023-06-01", "2026-10-21");

  private final LanguageService service;

  public MessagesResource(@Context Providers providers) {
    service = LanguageService.of(providers);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Messages: a language model's answer, in the native messages protocol.",
      schema = "messages",
      headers = VERSION + "=2023-06-01",
      example =
          "{\"model\":\"claude-haiku-4.5\",\"max_tokens\":64,"
              + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}")
  @Paid(by = LanguageTariff.class)
  @Described(
      answerSchema = "MessagesAnswer",
      answerTypes = {"application/json", "text/event-stream"})
  public Response messages(
      byte[] body,
      @HeaderParam(VERSION) @Nullable String version,
      @HeaderParam(LanguageModels.BETA_HEADER) List<String> betas,
      @Context SecurityContext security) {
    if (version == null || !SUPPORTED.contains(version)) {
      String sentence =
          VERSION + ": the header is required and its value is " + String.join(" or ", SUPPORTED);
      return Problems.response(Dialect.MESSAGES, Problem.of(400, sentence, "invalid_params"));
    }
    return service.answer(Dialect.MESSAGES, body, betas, security);
  }

  /** Counts without asking a vendor, for nothing. */
  @POST
  @Path(Dialects.COUNT_TOKENS)
  @Consumes(MediaType.APPLICATION_JSON)
  @Free
  @Counted
  @Described(
      value = "The most tokens that a prompt may have, as a call of it is quoted",
      bodySchema = "MessagesCountBody",
      example =
          "{\"model\":\"claude-haiku-4.5\","
              + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}",
      answerSchema = "MessagesCount")
  public Response count(byte[] body) {
    return service.count(Dialect.MESSAGES, body);
  }
}
