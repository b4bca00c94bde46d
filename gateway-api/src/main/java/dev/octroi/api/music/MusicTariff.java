package dev.octroi.api.music;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.music.MusicModel;

/** The price of a track: its model's. A model that is not sold is 400, without a challenge. */
public final class MusicTariff implements Tariff {

  private final MusicService service;

  public MusicTariff(MusicService service) {
    this.service = service;
  }

  @Override
  public Usd price(PricedRequest request) {
    MusicModel model = service.model(request.body());
    request.note(model);
    return new Usd(model.micros());
  }
}
