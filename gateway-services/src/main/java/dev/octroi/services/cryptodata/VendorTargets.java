package dev.octroi.services.cryptodata;

import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.VenueWords;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How the vendor wants to be asked where renaming a parameter is not enough, and what it is sent
 * where it insists on a parameter that the specification leaves out.
 */
final class VendorTargets {

  /** The search that lists the markets of both venues without being told what to search for. */
  static final String MARKET_SEARCH = "/search/prediction-market";

  /** The search that lists the events of venue A, which wants something to search for. */
  static final String EVENT_SEARCH = "/search/venue-a";

  /** The tags that the vendor names as usual ones; an event needs one of them. */
  private static final String USUAL_TAGS = "Crypto,Politics,Sports,Science,Pop Culture";

  static final String EXCHANGE = "exchange";

  /** Reads whose addresses the vendor labels only for who asks for it. */
  private static final Set<CryptoDataRead> LABELLED =
      Set.of(
          CryptoDataRead.ONCHAIN_TX,
          CryptoDataRead.WALLET_HISTORY,
          CryptoDataRead.WALLET_TRANSFERS,
          CryptoDataRead.TOKEN_DEX_TRADES,
          CryptoDataRead.TOKEN_HOLDERS,
          CryptoDataRead.TOKEN_TRANSFERS);

  static final String TICKER_EXCHANGES =
      "exchange-a okx bybit bitget coinbase kraken gate htx kucoin mexc upbit bitfinex bitstamp deribit"
          + " bitmex bithumb hyperliquid";
  static final String BOOK_EXCHANGES =
      "exchange-a okx bybit bitget coinbase kraken gate mexc upbit bitstamp deribit bitmex bithumb"
          + " hyperliquid";

  private static final Pattern EVM_ADDRESS = Pattern.compile(Kind.EVM_ADDRESS.form());
  private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,11}");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,20}");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private VendorTargets() {}

  /**
   * @param words what the vendor calls the venues
   * @param now the time of the call
   * @throws Failure 400 for what the vendor does not know
   */
  static UpstreamTarget of(CryptoDataRead row, Arguments arguments, VenueWords words, Instant now) {
    requireOrder(arguments);
    UpstreamTarget asked = UpstreamTarget.of(row, arguments);
    UpstreamTarget target = LABELLED.contains(row) ? asked.orElse("include", "labels") : asked;
    return switch (row) {
      case EXCHANGE_PRICE,
          EXCHANGE_PERP,
          EXCHANGE_DEPTH,
          EXCHANGE_KLINES,
          EXCHANGE_FUNDING_HISTORY,
          EXCHANGE_LONG_SHORT_RATIO ->
          target
              .converted("pair", pair -> pair.replace('-', '/').toUpperCase(Locale.ROOT))
              .converted(EXCHANGE, words::real);
      case MARKET_ETF -> target.orElse("symbol", "BTC");
      case WALLET_HISTORY, WALLET_NET_WORTH, WALLET_PROTOCOLS -> {
        Failure.require(
            EVM_ADDRESS.matcher(arguments.value("address").orElse("")).matches(),
            "address is 0x and 40 hexadecimal digits here: the vendor has no other wallets");
        yield target;
      }
      case ONCHAIN_TX -> {
        Failure.require(
            HASH.matcher(arguments.value("hash").orElse("")).matches(),
            "hash is 0x and hexadecimal digits");
        yield target;
      }
      case SOCIAL_TWEETS -> {
        Failure.require(
            arguments.values("ids").stream().allMatch(id -> DIGITS.matcher(id).matches()),
            "ids are numbers");
        yield target;
      }
      case WALLET_DETAIL -> {
        Failure.require(
            Chain.of(arguments) != Chain.TRON,
            "address is of Tron: the vendor has no such wallets");
        yield target;
      }
      case WALLET_TRANSFERS -> onItsChain(target, arguments);
      case TOKEN_HOLDERS -> {
        Failure.require(
            Chain.of(arguments) != Chain.TRON,
            "address is of Tron: the vendor has no holders of its tokens");
        yield onItsChain(target, arguments);
      }
      case TOKEN_TRANSFERS -> since(onItsChain(target, arguments), arguments, now);
      case TOKEN_DEX_TRADES -> {
        Failure.require(
            Chain.of(arguments) != Chain.SOLANA,
            "address is of no chain whose trades the vendor has");
        yield onItsChain(target, arguments).without("interval");
      }
      case SOCIAL_DETAIL, SOCIAL_SMART_FOLLOWERS_HISTORY ->
          target.converted("q", VendorTargets::handle);
      case SOCIAL_USER,
          SOCIAL_USER_FOLLOWERS,
          SOCIAL_USER_FOLLOWING,
          SOCIAL_USER_POSTS,
          SOCIAL_USER_REPLIES ->
          target.converted("handle", VendorTargets::handle);
      case FUND_DETAIL, FUND_PORTFOLIO, PROJECT_DETAIL -> bySlug(target, arguments);
      case PROJECT_DEFI_METRICS -> arguments.has("id") ? target : target.orElse("q", "uniswap");
      case PROJECT_DEFI_RANKING -> target.orElse("metric", "tvl");
      case WEB_FETCH -> fetch(target, arguments);
      case VENUE_A_MARKETS ->
          named(arguments, "market_slug") ? target : listed(target, words.real("venue-a"));
      case VENUE_A_EVENTS ->
          arguments.has("event_slug") ? target : target.at(EVENT_SEARCH).orElse("tags", USUAL_TAGS);
      case VENUE_B_MARKETS ->
          named(arguments, "market_ticker") || !arguments.has("category")
              ? target
              : listed(target, words.real("venue-b"));
      case VENUE_B_RANKING -> target.with("platform", words.real("venue-b"));
      default -> target;
    };
  }

  private static UpstreamTarget listed(UpstreamTarget target, String platform) {
    return target.at(MARKET_SEARCH).with("platform", platform);
  }

  /** Whether one market is named; the vendor's answer for it takes no account of a category. */
  private static boolean named(Arguments arguments, String identifier) {
    Failure.require(
        !arguments.has(identifier) || !arguments.has("category"),
        identifier + " and category are not given together");
    return arguments.has(identifier);
  }

  /** The chain that an address is of, as far as its form tells. */
  private enum Chain {
    EVM("ethereum"),
    SOLANA("solana"),
    TRON("tron");

    private static final Pattern BASE58 = Pattern.compile(Kind.BASE58_ADDRESS.form());
    private static final Pattern TRON_ADDRESS = Pattern.compile("T[1-9A-HJ-NP-Za-km-z]{33}");

    private final String word;

    Chain(String word) {
      this.word = word;
    }

    static Chain of(Arguments arguments) {
      String address = arguments.value("address").orElse("");
      if (TRON_ADDRESS.matcher(address).matches()) {
        return TRON;
      }
      return BASE58.matcher(address).matches() ? SOLANA : EVM;
    }
  }

  /** A caller who names no chain means the one that the address is of. */
  private static UpstreamTarget onItsChain(UpstreamTarget target, Arguments arguments) {
    return target.orElse("chain", Chain.of(arguments).word);
  }

  private static UpstreamTarget since(UpstreamTarget target, Arguments arguments, Instant now) {
    Failure.require(
        !arguments.has("interval") || !arguments.has("from"),
        "interval and from are not given together");
    return arguments
        .value("interval")
        .map(interval -> Long.toString(TokenTrades.from(interval, now).getEpochSecond()))
        .map(from -> target.without("interval").with("from", from))
        .orElse(target);
  }

  /** Times that are not read here are the vendor's to refuse. */
  private static void requireOrder(Arguments arguments) {
    Optional<Instant> from = time(arguments, "from");
    Optional<Instant> to = time(arguments, "to");
    Failure.require(
        from.isEmpty() || to.isEmpty() || !from.get().isAfter(to.get()), "from is not after to");
  }

  /** Unix seconds, a day or a time of ISO 8601. */
  private static Optional<Instant> time(Arguments arguments, String name) {
    String text =
        arguments.unlisted().getOrDefault(name, List.of()).stream().findFirst().orElse("");
    try {
      if (SECONDS.matcher(text).matches()) {
        return Optional.of(Instant.ofEpochSecond(Long.parseLong(text)));
      }
      return Optional.of(
          text.contains("T")
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  private static String handle(String name) {
    return name.startsWith("@") ? name.substring(1) : name;
  }

  /** The vendor looks for a name, unless it is told one of its own ids. */
  private static UpstreamTarget bySlug(UpstreamTarget target, Arguments arguments) {
    String slug = arguments.value("slug").orElse("");
    return UUID.matcher(slug).matches() ? target.without("q").with("id", slug) : target;
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
    throw Failure.invalid("url is an http or https address");
  }
}
