package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an answer says that it is to be charged, by the protocol's header (x402, upto): {@code
 * {"amount":X}}, where X is the token's units, a share of the price, or dollars.
 */
public final class SettlementOverrides {

  private static final Pattern UNITS = Pattern.compile("[0-9]{1,60}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,18})?");
  private static final BigDecimal WHOLE = BigDecimal.valueOf(100);

  private SettlementOverrides() {}

  /**
   * The charge, rounded down to millionths of a dollar.
   *
   * @param stated the header's value
   * @param price what the payer signed at most
   * @param terms what it was signed for
   * @return empty where it cannot be read, or is above the price
   */
  public static Optional<Usd> charge(String stated, Usd price, PaymentRequirements terms) {
    Optional<BigDecimal> micros;
    try {
      JsonNode amount = Json.readObject(stated.getBytes(StandardCharsets.UTF_8)).path("amount");
      micros = amount.isTextual() ? micros(amount.textValue(), price, terms) : Optional.empty();
    } catch (MalformedPayment e) {
      return Optional.empty();
    }
    return micros
        .filter(exact -> exact.compareTo(BigDecimal.valueOf(price.micros())) <= 0)
        .map(exact -> new Usd(exact.setScale(0, RoundingMode.DOWN).longValueExact()));
  }

  private static Optional<BigDecimal> micros(String amount, Usd price, PaymentRequirements terms) {
    if (UNITS.matcher(amount).matches()) {
      BigDecimal units = new BigDecimal(new BigInteger(amount));
      return Optional.of(units.movePointLeft(terms.decimals() - Usd.DECIMALS));
    }
    if (amount.startsWith("$")) {
      return number(amount.substring(1)).map(dollars -> dollars.movePointRight(Usd.DECIMALS));
    }
    if (amount.endsWith("%")) {
      return number(amount.substring(0, amount.length() - 1))
          .map(share -> share.multiply(BigDecimal.valueOf(price.micros())).divide(WHOLE));
    }
    return Optional.empty();
  }

  private static Optional<BigDecimal> number(String text) {
    return Optional.of(text).filter(it -> NUMBER.matcher(it).matches()).map(BigDecimal::new);
  }
}
