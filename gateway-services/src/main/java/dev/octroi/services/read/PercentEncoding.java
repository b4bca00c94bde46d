package dev.octroi.services.read;

import java.nio.charset.StandardCharsets;

/** Percent-encoding that leaves nothing but RFC 3986's unreserved characters as they are. */
final class PercentEncoding {

  private static final String HEX = "0123456789ABCDEF";
  private static final String UNRESERVED_MARKS = "-._~";

  private PercentEncoding() {}

  static String of(String value) {
    StringBuilder encoded = new StringBuilder(value.length() + 16);
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (octet & 0xff);
      if (unreserved(character)) {
        encoded.append(character);
      } else {
        encoded.append('%').append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 15));
      }
    }
    return encoded.toString();
  }

  private static boolean unreserved(char character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || UNRESERVED_MARKS.indexOf(character) >= 0;
  }
}
