package dev.octroi.api.image;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageRequests;

/**
 * The price of drawings: the model's for each picture. A model, size or number that has no price is
 * 400, without a challenge (decisions, order of work).
 */
public final class ImageTariff implements Tariff {

  private final ImageRequests requests;

  public ImageTariff(ImageRequests requests) {
    this.requests = requests;
  }

  @Override
  public Usd price(PricedRequest request) {
    return new Usd(requests.quote(ImageBody.ofJson(request.body()), false).micros());
  }
}
