package dev.octroi.examples.hall;

import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import jakarta.ws.rs.BadRequestException;
import java.nio.charset.StandardCharsets;

/** A tenth of a cent for each word of the body; what has no price asks for no payment. */
public final class PerWord implements Tariff {

  private static final Usd EACH = Usd.parse("0.001");

  @Override
  public Usd price(PricedRequest request) {
    String text = new String(request.body(), StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) {
      throw new BadRequestException("a text has at least one word");
    }
    return EACH.times(text.split("\\s+").length);
  }
}
