package dev.octroi.services.cryptodata;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.UpstreamTarget;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How the vendor wants to be asked where renaming a parameter is not enough, and what it is sent
 * where it insists on a parameter that the specification leaves out.
 */
final class VendorTargets {

  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private VendorTargets() {}

  static UpstreamTarget of(CryptoDataRead row, Arguments arguments) {
    UpstreamTarget target = UpstreamTarget.of(row, arguments);
    return switch (row) {
      case EXCHANGE_PRICE,
          EXCHANGE_PERP,
          EXCHANGE_DEPTH,
          EXCHANGE_KLINES,
          EXCHANGE_FUNDING_HISTORY,
          EXCHANGE_LONG_SHORT_RATIO ->
          target.converted("pair", pair -> pair.replace('-', '/').toUpperCase(Locale.ROOT));
      case MARKET_ETF -> target.orElse("symbol", "BTC");
      case MARKET_ONCHAIN_INDICATOR -> target.converted("metric", VendorTargets::lowerCase);
      case MARKET_PRICE_INDICATOR -> target.converted("indicator", VendorTargets::indicator);
      case SOCIAL_DETAIL, SOCIAL_SMART_FOLLOWERS_HISTORY ->
          target.converted("q", VendorTargets::handle);
      case SOCIAL_USER,
          SOCIAL_USER_FOLLOWERS,
          SOCIAL_USER_FOLLOWING,
          SOCIAL_USER_POSTS,
          SOCIAL_USER_REPLIES ->
          target.converted("handle", VendorTargets::handle);
      case TOKEN_TRANSFERS -> target.orElse("chain", "ethereum");
      case FUND_DETAIL, FUND_PORTFOLIO, PROJECT_DETAIL -> bySlug(target, arguments);
      case PROJECT_DEFI_METRICS -> arguments.has("id") ? target : target.orElse("q", "uniswap");
      case PROJECT_DEFI_RANKING -> target.orElse("metric", "tvl");
      case WEB_FETCH -> fetch(target, arguments);
      case VENUE_A_MARKETS -> listedBySearch(target, arguments, "market_slug");
      case VENUE_A_EVENTS -> listedBySearch(target, arguments, "event_slug");
      default -> target;
    };
  }

  private static String lowerCase(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  private static String indicator(String name) {
    return name.equalsIgnoreCase("bollinger") ? "bbands" : lowerCase(name);
  }

  private static String handle(String name) {
    return name.startsWith("@") ? name.substring(1) : name;
  }

  /** The vendor looks for a name, unless it is told one of its own ids. */
  private static UpstreamTarget bySlug(UpstreamTarget target, Arguments arguments) {
    String slug = arguments.value("slug").orElse("");
    return UUID.matcher(slug).matches() ? target.without("q").with("id", slug) : target;
  }

  /** The vendor answers this path for one slug only; its search lists them. */
  private static UpstreamTarget listedBySearch(
      UpstreamTarget target, Arguments arguments, String slug) {
    return arguments.has(slug) ? target : target.at(CryptoDataRead.SEARCH_VENUE_A.upstreamPath());
  }

  private static UpstreamTarget fetch(UpstreamTarget target, Arguments arguments) {
    try {
      URI url = new URI(arguments.value("url").orElse(""));
      boolean web =
          "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
      if (web && url.getHost() != null && url.getRawUserInfo() == null) {
        return target;
      }
    } catch (URISyntaxException malformed) {
      // told below
    }
    throw new Failure(ErrorCode.INVALID_PARAMS, "url is an http or https address");
  }
}
