package dev.octroi.api.websearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.web.WebAddress;
import java.util.List;

/** Addresses in bodies: 400 {@code invalid_url} for what is none. */
final class Urls {

  private Urls() {}

  static String checked(String name, String url) {
    if (WebAddress.of(url).isEmpty()) {
      throw new Failure(ErrorCode.INVALID_URL, name + " is an http or https address");
    }
    return url;
  }

  static List<String> checked(String name, List<String> urls) {
    urls.forEach(url -> checked("each of " + name, url));
    return List.copyOf(urls);
  }
}
