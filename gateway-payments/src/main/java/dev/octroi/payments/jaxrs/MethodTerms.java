package dev.octroi.payments.jaxrs;

import dev.octroi.payments.jaxrs.PriceTable.PricedMethod;

/** What the annotations say of a resource method. */
sealed interface MethodTerms {

  /** It is {@code @Paid}. */
  record Priced(PricedMethod method) implements MethodTerms {}

  /** It is {@code @Free}. */
  record Free() implements MethodTerms {}

  /** It is neither, which only a lenient deployment accepts. */
  record Undeclared() implements MethodTerms {}

  /** It is annotated wrongly. */
  record Wrong(String problem) implements MethodTerms {}
}
