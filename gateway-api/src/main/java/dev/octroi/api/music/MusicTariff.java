package dev.octroi.api.music;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.music.MusicModel;

/** The price of a track: its model's. A model that is not sold is 400, without a challenge. */
public final class MusicTariff implements Tariff {

  private final MusicDesk desk;

  public MusicTariff(MusicDesk desk) {
    this.desk = desk;
  }

  @Override
  public Usd price(PricedRequest request) {
    MusicModel model = desk.model(request.body());
    request.note(model);
    return new Usd(model.micros());
  }
}
