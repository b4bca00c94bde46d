package dev.octroi.api.voice;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;

/**
 * The price of reading a call's record: the list's, or nothing (decisions, voice call record).
 *
 * @param price zero where reading is free
 */
public record CallReadTariff(Usd price) implements Tariff {

  @Override
  public Usd price(PricedRequest request) {
    return price;
  }
}
