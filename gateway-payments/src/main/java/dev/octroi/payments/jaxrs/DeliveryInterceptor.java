package dev.octroi.payments.jaxrs;

import dev.octroi.payments.flow.PaidCall;
import dev.octroi.payments.flow.PaymentFlow;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.Optional;

/**
 * The outermost writer but for what a gateway puts around it: an answer whose bytes were flushed
 * counts as delivered; one whose writing failed stays to be had with the same payment.
 */
@Priority(Integer.MIN_VALUE + 1)
final class DeliveryInterceptor implements WriterInterceptor {

  private final PaymentFlow flow;

  DeliveryInterceptor(PaymentFlow flow) {
    this.flow = flow;
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
    Optional<PaidCall> call = CallProperties.call(writing);
    boolean arrived = false;
    try {
      writing.proceed();
      if (call.isPresent()) {
        writing.getOutputStream().flush();
      }
      arrived = true;
    } finally {
      call.ifPresent(arrived ? flow::delivered : flow::undelivered);
    }
  }
}
