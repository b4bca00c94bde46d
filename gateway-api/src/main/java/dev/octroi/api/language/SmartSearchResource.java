package dev.octroi.api.language;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** Smart search: a summary of what the web says, with the pages that say it. */
@Path(SmartSearchGroup.BASE)
public class SmartSearchResource {

  private final LanguageService service;

  public SmartSearchResource(@Context Providers providers) {
    this(LanguageService.of(providers));
  }

  SmartSearchResource(LanguageService service) {
    this.service = service;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Sold(
      about = "Smart search: a written summary of what the web says, with citations.",
      body = SmartSearchBody.class,
      example = "{\"query\":\"What is a pay-per-call gateway?\"}")
  @Paid(by = SmartSearchTariff.class)
  @Described(answerSchema = "SmartSearchResult")
  public Response search(byte[] body, @Context SecurityContext security) {
    return service.search().answer(body, service.deadline(Payment.of(security.getUserPrincipal())));
  }
}
