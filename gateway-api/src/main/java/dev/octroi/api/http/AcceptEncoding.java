package dev.octroi.api.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code Accept-Encoding} with its weights (RFC 9110, 12.5.3). */
final class AcceptEncoding {

  private AcceptEncoding() {}

  /** Whether gzip is wanted at least as much as no encoding at all. */
  static boolean prefersGzip(@Nullable String header) {
    if (header == null) {
      return false;
    }
    double gzip = -1;
    double any = -1;
    double identity = -1;
    for (String element : header.split(",", -1)) {
      String[] parts = element.split(";", -1);
      double weight = weight(parts);
      switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
        case "gzip", "x-gzip" -> gzip = weight;
        case "*" -> any = weight;
        case "identity" -> identity = weight;
        default -> {}
      }
    }
    double wanted = gzip >= 0 ? gzip : any;
    return wanted > 0 && wanted >= identity;
  }

  static double weight(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        String value = parameter.substring(2);
        return value.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?") ? Double.parseDouble(value) : 0;
      }
    }
    return 1;
  }
}
