package dev.octroi.api.language;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;

/** The price of a smart search, whatever it asks (decisions, smart search). */
public final class SmartSearchTariff implements Tariff {

  private final Usd price;

  public SmartSearchTariff(Usd price) {
    this.price = price;
  }

  @Override
  public Usd price(PricedRequest request) {
    return price;
  }
}
