package dev.octroi.sandbox.phone;

import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.services.phone.PhoneNumber;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Numbers to be had, bought, found and given back. Thread-safe. */
final class NumberService {

  private static final Map<String, List<String>> AREAS =
      Map.of("US", List.of("415", "206", "312", "512"), "CA", List.of("416", "604", "514"));
  private static final int PAGE = 50;
  private static final int NOT_AVAILABLE = 21422;
  private static final Duration SLOW = Duration.ofSeconds(3);
  private static final Duration FOR_EVER = Duration.ofMinutes(10);

  private final Inventory inventory = new Inventory();

  SandboxAnswer available(String country, Form asked) {
    List<String> areas = AREAS.get(country);
    if (areas == null) {
      return Errors.notFound();
    }
    List<Map<String, Object>> found =
        asked.find("AreaCode").map(List::of).orElse(areas).stream()
            .filter(area -> isIn(country, area))
            .flatMap(area -> inventory.available(area, PAGE).stream())
            .limit(asked.count("PageSize", PAGE))
            .map(number -> offer(country, number))
            .toList();
    return SandboxAnswer.ok(Map.of("available_phone_numbers", found, "uri", "/"));
  }

  private static boolean isIn(String country, String area) {
    return PhoneNumber.parse("+1" + area + "5550100")
        .map(PhoneNumber::region)
        .filter(country::equals)
        .isPresent();
  }

  private static Map<String, Object> offer(String country, String number) {
    return Map.of(
        "phone_number",
        number,
        "friendly_name",
        number,
        "iso_country",
        country,
        "capabilities",
        Map.of("voice", true, "SMS", true, "MMS", true));
  }

  SandboxAnswer buy(Form asked) {
    String number = asked.get("PhoneNumber");
    if (PhoneNumber.parse(number).isEmpty()) {
      return Errors.of(400, 21421, "PhoneNumber is invalid");
    }
    Area area = Area.of(Inventory.area(number));
    if (area == Area.SLOW) {
      Pause.of(SLOW);
    }
    if (area == Area.FAILED) {
      return Errors.of(500, 20500, "An internal server error has occurred");
    }
    Optional<SoldNumber> sold = inventory.sell(number, asked.get("FriendlyName"));
    if (sold.isEmpty()) {
      return Errors.of(400, NOT_AVAILABLE, number + " is not available.");
    }
    if (area == Area.SOLD_AND_SILENT) {
      Pause.of(FOR_EVER);
    }
    return area == Area.SOLD_AND_FAILED
        ? Errors.of(500, 20500, "An internal server error has occurred")
        : SandboxAnswer.status(201, record(sold.get()));
  }

  SandboxAnswer bought(Form asked) {
    List<Map<String, Object>> found =
        inventory.bought(asked.find("FriendlyName")).stream()
            .limit(asked.count("PageSize", PAGE))
            .map(NumberService::record)
            .toList();
    return SandboxAnswer.ok(Map.of("incoming_phone_numbers", found, "page", 0));
  }

  SandboxAnswer release(String sid) {
    return inventory.release(sid) ? SandboxAnswer.status(204, Map.of()) : Errors.notFound();
  }

  boolean isSold(String number) {
    return inventory.isSold(number);
  }

  private static Map<String, Object> record(SoldNumber sold) {
    return Map.of(
        "sid", sold.sid(),
        "phone_number", sold.number(),
        "friendly_name", sold.name(),
        "status", "in-use");
  }
}
