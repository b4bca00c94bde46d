package dev.octroi.api.observe;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.PaymentObserver.PaymentStep;
import dev.octroi.services.upstream.UpstreamClient.UpstreamObserver.Watched;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every call of a kind of its own: figures, traces, the log. Thread-safe; returns at once.
 * What one throws is logged and harms no call.
 */
public interface CallWatcher {

  /** A call has come in; its endpoint is not known yet. */
  default void begun(ObservedCall call, Exchange request) {}

  /**
   * A step of a payment has ended.
   *
   * @param call the call that it belongs to; null where the money moves beside the calls
   */
  default void step(@Nullable ObservedCall call, PaymentStep step) {}

  /**
   * An upstream is about to be called.
   *
   * @param call the call that asks; null where work beside the calls does
   */
  default Watched upstream(@Nullable ObservedCall call, String upstream, String method) {
    return Watched.UNSEEN;
  }

  /** The caller has gone before the last byte of the answer was written. */
  default void cut(ObservedCall call) {}

  /** The last byte of the answer has been written, or could not be. */
  default void ended(ObservedCall call) {}
}
