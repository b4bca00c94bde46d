package dev.octroi.api.image;

import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageOrder;
import java.util.Optional;

/**
 * What was agreed when a job was ordered; it does not change.
 *
 * @param owner who may ask for it
 * @param model the public id
 * @param size such as {@code 1024x1024}
 * @param n pictures
 * @param price of all of them
 * @param network that it was to be paid on
 * @param ordered the payment that came with it
 */
record JobTerms(
    String owner, String model, String size, int n, Usd price, String network, PaymentUse ordered) {

  static JobTerms of(ImageOrder order, Payment payment) {
    return new JobTerms(
        payment.owner(),
        order.model().id(),
        order.quote().size().toString(),
        order.quote().n(),
        payment.quote(),
        payment.network(),
        payment.use());
  }

  /**
   * A job that is to be entered.
   *
   * @param request the body of the call; sealed in the database
   * @param envelope the payment header that came with it, if one did; sealed too
   */
  record Order(JobTerms terms, byte[] request, Optional<String> envelope) {}
}
