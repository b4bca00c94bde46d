package dev.octroi.services.phone;

/** How the attempt to buy a number ended. */
public sealed interface PurchaseOutcome {

  /** It is ours. */
  record Bought(LeasedNumber leased) implements PurchaseOutcome {}

  /** Another of the vendor's customers took it first: another number may be tried. */
  record Taken() implements PurchaseOutcome {}

  /** The vendor said no, and certainly has not sold it. */
  record Refused() implements PurchaseOutcome {}

  /** Not known whether the vendor sold it: ask for what is leased under the name. */
  record Unknown() implements PurchaseOutcome {}
}
