package dev.octroi.payments;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Charges for a resource method: an unpaid call is answered 402, a paid one is settled once and
 * only for an answer that succeeded.
 *
 * <p>Exactly one of {@link #value} and {@link #by} is given. It is resolved when the application is
 * deployed, over the class hierarchy and interfaces, so that a typo fails the deployment and not a
 * call.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Paid {

  /** The price in decimal dollars with at most six places, such as {@code "0.01"}. */
  String value() default "";

  /** Computes the price of each call. */
  Class<? extends Tariff> by() default Tariff.class;

  /** When the money moves. */
  Settle settle() default Settle.AFTER;

  /** What a payer gets who paid but did not receive the answer. */
  Redelivery redelivery() default Redelivery.STORED;
}
