package dev.octroi.api.voice;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;

/** Numbers that are called. */
final class Callee {

  private Callee() {}

  /**
   * The number, which is neither an emergency nor a premium one.
   *
   * @param name of the parameter
   * @throws Failure 400 {@code invalid_phone_number}
   */
  static PhoneNumber of(String name, String text) {
    PhoneNumber number = PhoneNumber.of(name, text);
    if (number.isEmergencyOrPremium()) {
      throw new Failure(
          ErrorCode.INVALID_PHONE_NUMBER, name + " is an emergency or premium number");
    }
    return number;
  }
}
