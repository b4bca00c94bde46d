package dev.octroi.reference.cli;

import dev.octroi.payments.Usd;
import java.net.URI;
import java.util.UUID;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Reads what was typed as the value of an option, or says how it is written. */
final class Typed {

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private Typed() {}

  static Usd amount(String text) {
    try {
      return Usd.parse(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new TypeConversionException(
          "'" + text + "' is not an amount. Write dollars with at most six decimals, such as 0.01");
    }
  }

  static UUID id(String text) {
    if (!ID.matcher(text).matches()) {
      throw new TypeConversionException(
          "'"
              + text
              + "' is not an id. An id is like 1b4e28ba-2fa1-41d2-883f-0016d3cca427; lists show"
              + " whole ids");
    }
    return UUID.fromString(text);
  }

  static URI address(String text) {
    try {
      URI address = URI.create(text);
      if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
          && address.getHost() != null) {
        return address;
      }
    } catch (IllegalArgumentException malformed) {
      // said below
    }
    throw new TypeConversionException(
        "'" + text + "' is not an address. Write it whole, such as http://127.0.0.1:8402");
  }
}
