package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import java.util.List;
import java.util.Optional;

/** The vendor that leases numbers to us. Thread-safe. */
public interface PhoneNumbers {

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
}
