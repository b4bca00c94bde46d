package dev.octroi.api.image;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageRequests;
import java.io.ByteArrayInputStream;

/** The price of edits, counted like that of drawings. */
public final class EditTariff implements Tariff {

  private final ImageRequests requests;

  public EditTariff(ImageRequests requests) {
    this.requests = requests;
  }

  /** Looks at no picture: a caller that has not paid is not worth the work. */
  @Override
  public Usd price(PricedRequest request) {
    return new Usd(
        requests.quote(EditBody.fields(new ByteArrayInputStream(request.body())), true).micros());
  }
}
