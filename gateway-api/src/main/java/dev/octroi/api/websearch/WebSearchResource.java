package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.price.ListPrices;
import dev.octroi.payments.Paid;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;

/** The web-search group. */
@Path(WebSearchGroup.BASE)
@Consumes(MediaType.APPLICATION_JSON)
public class WebSearchResource {

  private final WebSearchService web;

  public WebSearchResource(@Context Providers providers) {
    this(Mounted.of(providers, WebSearchService.class));
  }

  WebSearchResource(WebSearchService web) {
    this.web = web;
  }

  @POST
  @Path("search")
  @Sold(
      about = "Web search: finds pages by meaning.",
      body = SearchBody.class,
      example = "{\"query\":\"pay-per-call gateways\",\"numResults\":3}")
  @Paid(ListPrices.SEARCH)
  @Described(answerSchema = "SearchResults")
  public Response search(byte[] body, @Context SecurityContext security) {
    return web.answer(
        SearchBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().search(asked.asked(), deadline));
  }

  @POST
  @Path("find-similar")
  @Sold(
      about = "Web search: finds pages that are like a page.",
      body = SimilarBody.class,
      example = "{\"url\":\"https://example.com/\"}")
  @Paid(ListPrices.FIND_SIMILAR)
  @Described(more = "404 and free unless it is switched on.", answerSchema = "SimilarResults")
  public Response findSimilar(byte[] body, @Context SecurityContext security) {
    return web.answer(
        SimilarBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().findSimilar(asked.source(), asked.results(), deadline));
  }

  @POST
  @Path("contents")
  @Sold(
      about = "Web search: the text of pages, by their addresses.",
      body = ContentsBody.class,
      example = "{\"ids\":[\"https://example.com/\"]}")
  @Paid(ListPrices.CONTENTS)
  @Described(answerSchema = "Contents")
  public Response contents(byte[] body, @Context SecurityContext security) {
    return web.answer(
        ContentsBody.class,
        body,
        security,
        (asked, deadline) -> web.contents().contents(asked.pages(), deadline));
  }

  @POST
  @Path("answer")
  @Sold(
      about = "Web search: a short answer to a question, with its sources.",
      body = AnswerBody.class,
      example = "{\"query\":\"What is a pay-per-call gateway?\"}")
  @Paid(ListPrices.ANSWER)
  @Described(answerSchema = "WebAnswer")
  public Response answer(byte[] body, @Context SecurityContext security) {
    return web.answer(
        AnswerBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().answer(asked.question(), deadline));
  }

  @POST
  @Path("highlights")
  @Sold(
      about = "Web search: the passages of pages that matter to a query.",
      body = HighlightsBody.class,
      example = "{\"query\":\"price\",\"ids\":[\"https://example.com/\"]}")
  @Paid(ListPrices.HIGHLIGHTS)
  @Described(answerSchema = "Highlights")
  public Response highlights(byte[] body, @Context SecurityContext security) {
    return web.answer(
        HighlightsBody.class,
        body,
        security,
        (asked, deadline) -> web.vendor().highlights(asked.asked(), deadline));
  }
}
