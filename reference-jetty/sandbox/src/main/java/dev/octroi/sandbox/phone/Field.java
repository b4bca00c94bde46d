package dev.octroi.sandbox.phone;

import java.util.Locale;

/** What can be asked about a number; each is delivered, and fails, by itself. */
enum Field {
  LINE_TYPE_INTELLIGENCE,
  CALLER_NAME,
  SIM_SWAP,
  CALL_FORWARDING,
  SMS_PUMPING_RISK;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isAboutFraud() {
    return this != LINE_TYPE_INTELLIGENCE && this != CALLER_NAME;
  }
}
