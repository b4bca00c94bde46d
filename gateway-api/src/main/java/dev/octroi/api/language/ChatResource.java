package dev.octroi.api.language;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
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

/** The chat-completions protocol. */
@Path(Dialects.CHAT)
public class ChatResource {

  private final LanguageService service;

  public ChatResource(@Context Providers providers) {
    service = LanguageService.of(providers);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Chat: a language model's answer, in the chat-completions protocol.",
      schema = "chat",
      example =
          "{\"model\":\"auto/eco\",\"max_tokens\":64,"
              + "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}")
  @Paid(by = LanguageTariff.class)
  @Described(
      answerSchema = "ChatAnswer",
      answerTypes = {"application/json", "text/event-stream"})
  public Response chat(byte[] body, @Context SecurityContext security) {
    return service.answer(Dialect.CHAT, body, security);
  }
}
