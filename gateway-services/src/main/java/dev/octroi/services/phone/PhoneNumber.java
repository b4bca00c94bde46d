package dev.octroi.services.phone;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberType;
import com.google.i18n.phonenumbers.Phonenumber;
import com.google.i18n.phonenumbers.ShortNumberInfo;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A number of some country's numbering plan in E.164 form (specification, phone format).
 * Thread-safe.
 *
 * @param e164 a plus sign and up to 15 digits, the first of them not 0
 */
public record PhoneNumber(String e164) {

  /** A request's text is never longer than it needs to be, and holds no separators. */
  private static final Pattern FORM = Pattern.compile("\\+[1-9]\\d{1,14}");

  private static final Pattern PLACE = Pattern.compile("[a-z]{2}|[1-9]\\d{0,14}");

  /** Kinds of numbers that cost the line that calls them more than a common call. */
  private static final Set<PhoneNumberType> COSTLY =
      Set.of(PhoneNumberType.PREMIUM_RATE, PhoneNumberType.SHARED_COST);

  /** Kinds of numbers that cost what calls to their country do. */
  private static final Set<PhoneNumberType> COMMON =
      Set.of(
          PhoneNumberType.FIXED_LINE,
          PhoneNumberType.MOBILE,
          PhoneNumberType.FIXED_LINE_OR_MOBILE,
          PhoneNumberType.TOLL_FREE,
          PhoneNumberType.VOIP,
          PhoneNumberType.UAN);

  /**
   * Takes a number that is known to be one, such as from our own database.
   *
   * @throws IllegalArgumentException for what has not the form of E.164
   */
  public PhoneNumber {
    if (!FORM.matcher(e164).matches()) {
      throw new IllegalArgumentException("a phone number has the form of E.164");
    }
  }

  /** The number, where the text is one that a numbering plan knows; empty for anything else. */
  public static Optional<PhoneNumber> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    PhoneNumber number = new PhoneNumber(text);
    return number.parsed().filter(plans()::isValidNumber).map(valid -> number);
  }

  /**
   * The number that a caller named.
   *
   * @param name of the parameter
   * @throws Failure 400 {@code invalid_phone_number}
   */
  public static PhoneNumber of(String name, String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new Failure(
                    ErrorCode.INVALID_PHONE_NUMBER,
                    name + " is a valid phone number in E.164 form, such as +14155550123"));
  }

  /** Whether a vendor tells of another number, however it writes it; not where it tells none. */
  boolean isOtherThan(JsonNode told) {
    String digits = told.asText("").replaceAll("\\D", "");
    return !digits.isEmpty() && !e164.endsWith(digits);
  }

  /** ISO 3166 code of the country, such as {@code US}; 001 for what belongs to none. */
  public String region() {
    return parsed().map(plans()::getRegionCodeForNumber).orElse("ZZ");
  }

  /** Its country's calling code, such as {@code 44}. */
  public String callingCode() {
    return parsed().map(number -> Integer.toString(number.getCountryCode())).orElse("");
  }

  /** Whether a table of places has a place of that name: a country or first digits. */
  public static boolean isPlace(String name) {
    return PLACE.matcher(name).matches();
  }

  /**
   * What a table has for the place of this number: that of its first digits, of which the most go
   * first, else that of its country (ISO 3166, in small letters). A country's is not that of its
   * premium, personal, shared-cost and satellite numbers.
   */
  public <T> Optional<T> in(Map<String, T> places) {
    String digits = e164.substring(1);
    return places.keySet().stream()
        .filter(digits::startsWith)
        .max(Comparator.comparing(String::length))
        .or(() -> Optional.of(region().toLowerCase(Locale.ROOT)).filter(any -> isCommon()))
        .map(places::get);
  }

  /** As it is written in its own country, such as {@code (415) 555-0123}. */
  public String national() {
    return parsed().map(number -> plans().format(number, PhoneNumberFormat.NATIONAL)).orElse(e164);
  }

  /** Whether it must not be written to: an emergency service, or a number that costs more. */
  public boolean isEmergencyOrPremium() {
    return isEmergency() || isOf(COSTLY);
  }

  /**
   * Whether it is an emergency service. Short numbers, such as 911 behind a country's code, are not
   * even valid.
   */
  public boolean isEmergency() {
    return parsed()
        .filter(
            number ->
                ShortNumberInfo.getInstance()
                    .isEmergencyNumber(
                        plans().getNationalSignificantNumber(number),
                        plans().getRegionCodeForCountryCode(number.getCountryCode())))
        .isPresent();
  }

  /**
   * Whether calls cost what its country's do; premium, personal and satellite numbers cost more.
   */
  public boolean isCommon() {
    return isOf(COMMON);
  }

  private boolean isOf(Set<PhoneNumberType> kinds) {
    return parsed().map(plans()::getNumberType).filter(kinds::contains).isPresent();
  }

  private Optional<Phonenumber.PhoneNumber> parsed() {
    try {
      return Optional.of(plans().parse(e164, null));
    } catch (NumberParseException unknownCountry) {
      return Optional.empty();
    }
  }

  private static PhoneNumberUtil plans() {
    return PhoneNumberUtil.getInstance();
  }

  @Override
  public String toString() {
    return e164;
  }
}
