package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import dev.octroi.services.VendorRefusal;
import java.util.List;
import java.util.Optional;

/** The vendor that leases numbers to us. Thread-safe. */
public interface PhoneNumbers {

  /**
   * Throws where calls of the vendor are known to fail now.
   *
   * @throws dev.octroi.services.Failure 503
   */
  void requireReachable();

  /**
   * Some numbers that can be bought, none if there are none.
   *
   * @param areaCode three digits; empty for any
   * @throws dev.octroi.services.Failure 502, 503
   */
  List<PhoneNumber> available(Country country, Optional<String> areaCode, Deadline deadline);

  /**
   * Tries to buy a number, once.
   *
   * @param name by which the number can be found at the vendor's, at most 64 characters
   */
  PurchaseOutcome buy(PhoneNumber number, String name, Deadline deadline);

  /**
   * What has been bought under a name, the oldest first.
   *
   * @throws dev.octroi.services.Failure 502, 503
   */
  List<LeasedNumber> named(String name, Deadline deadline);

  /**
   * Gives a number back; one that is not ours any more has been given back.
   *
   * @param reference the vendor's id of it
   * @throws dev.octroi.services.Failure 502, 503
   */
  void release(String reference, Deadline deadline);

  /**
   * Where numbers are leased: other countries ask for proof of identity (specification, limits).
   */
  enum Country {
    US,
    CA;

    /** Whether a number is of this country, and of the area that is wanted. */
    public boolean has(PhoneNumber number, Optional<String> areaCode) {
      return number.region().equals(name())
          && areaCode.filter(code -> !number.e164().startsWith("+1" + code)).isEmpty();
    }
  }

  /**
   * A number that the vendor has leased to us.
   *
   * @param reference the vendor's id of it, at most 64 characters
   */
  record LeasedNumber(String reference, PhoneNumber number) {}

  /** How the attempt to buy a number ended. */
  sealed interface PurchaseOutcome {

    /** It is ours. */
    record Bought(LeasedNumber leased) implements PurchaseOutcome {}

    /** It cannot be had, such as because another customer took it: another one may be tried. */
    record Taken() implements PurchaseOutcome {}

    /** It was certainly not sold. */
    record Refused(VendorRefusal why) implements PurchaseOutcome {}

    /** Not known whether the vendor sold it: ask for what is leased under the name. */
    record Unknown() implements PurchaseOutcome {}
  }
}
