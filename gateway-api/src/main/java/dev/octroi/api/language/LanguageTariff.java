package dev.octroi.api.language;

import dev.octroi.api.language.LanguageService.Problems;
import dev.octroi.payments.Metering;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.InvalidPrompt;
import dev.octroi.services.language.relay.LanguageModels;
import dev.octroi.services.language.relay.LanguageModels.ModelCall;
import jakarta.ws.rs.WebApplicationException;
import java.util.Optional;

/**
 * The price of a call of a model: what its prompt and its longest answer cost at the model's rates
 * (decisions, messages price). A body that cannot be priced is 400, without a challenge.
 */
public final class LanguageTariff implements Tariff {

  private final LanguageModels models;
  private final Optional<Usd> search;

  /**
   * The prices of the models' list.
   *
   * @param search the price of a smart search, which {@code auto/search} is; empty where there is
   *     none
   */
  public LanguageTariff(LanguageModels models, Optional<Usd> search) {
    this.models = models;
    this.search = search;
  }

  @Override
  public Usd price(PricedRequest request) {
    Dialect dialect = Dialects.of(request.path());
    try {
      ModelCall call = models.prepare(dialect, request.body(), Dialects.betas(dialect, request));
      request.note(call);
      if (!call.searches()) {
        request.metered(call.prompt().streaming().on() ? Metering.STREAMED : Metering.HELD);
      }
      return call.searches() ? search.orElseThrow(LanguageTariff::closed) : new Usd(call.micros());
    } catch (InvalidPrompt invalid) {
      throw new WebApplicationException(Problems.response(dialect, invalid.problem()));
    }
  }

  private static Failure closed() {
    return new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "This gateway has no search vendor");
  }
}
