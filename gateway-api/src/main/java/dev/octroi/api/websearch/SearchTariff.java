package dev.octroi.api.websearch;

import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.GatewaySettings.SearchRates;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.api.websearch.WebSearchResource.ContentsBody;
import dev.octroi.api.websearch.WebSearchResource.HighlightsBody;
import dev.octroi.api.websearch.WebSearchResource.SearchBody;
import dev.octroi.api.websearch.WebSearchResource.SimilarBody;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.Failure;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The price of calls that the vendor bills by results or by pages: the listed one, and no less than
 * the bill. A body that asks for nothing that is sold has the listed price, for it is refused
 * uncharged. Thread-safe.
 */
public final class SearchTariff implements Tariff {

  private final SearchRates rates;
  private final boolean billsContents;
  private final BodyReader bodies;

  /**
   * @param billsContents whether the vendor serves the contents of pages; else the gateway itself
   */
  SearchTariff(SearchRates rates, boolean billsContents, BodyReader bodies) {
    this.rates = rates;
    this.billsContents = billsContents;
    this.bodies = bodies;
  }

  @Override
  public Usd price(PricedRequest request) {
    return switch (request.path().substring(request.path().lastIndexOf('/'))) {
      case "/search" ->
          price(
              ListPrices.SEARCH,
              request,
              SearchBody.class,
              body -> rates.ofResults(body.results()));
      case "/find-similar" ->
          price(
              ListPrices.FIND_SIMILAR,
              request,
              SimilarBody.class,
              body -> rates.ofResults(body.results()));
      case "/contents" ->
          price(
              ListPrices.CONTENTS,
              request,
              ContentsBody.class,
              body -> billsContents ? pages(body.ids()) : Usd.ZERO);
      default ->
          price(ListPrices.HIGHLIGHTS, request, HighlightsBody.class, body -> pages(body.ids()));
    };
  }

  private Usd pages(@Nullable List<String> ids) {
    return rates.ofPages(Objects.requireNonNull(ids).size());
  }

  private <T extends Record> Usd price(
      String listed, PricedRequest request, Class<T> type, Function<T, Usd> bill) {
    Usd list = Usd.parse(listed);
    try {
      return list.max(bill.apply(bodies.read(request.body(), type)));
    } catch (Failure refused) {
      return list;
    }
  }
}
