package dev.octroi.api.prediction;

import dev.octroi.api.read.ReadService;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.RowMatcher;
import java.util.List;

/** The price of a prediction read: its row's. */
public final class PredictionTariff implements Tariff {

  static final RowMatcher<PredictionRead> ROWS = new RowMatcher<>(List.of(PredictionRead.values()));

  @Override
  public Usd price(PricedRequest request) {
    return ReadService.price(PredictionGroup.BASE, ROWS, request.path());
  }
}
