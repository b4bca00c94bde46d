package dev.octroi.services.cryptodata;

import static dev.octroi.services.cryptodata.CryptoDataRead.EXCHANGE_DEPTH;
import static dev.octroi.services.cryptodata.CryptoDataRead.EXCHANGE_PERP;
import static dev.octroi.services.cryptodata.CryptoDataRead.EXCHANGE_PRICE;
import static dev.octroi.services.cryptodata.CryptoDataRead.FUND_DETAIL;
import static dev.octroi.services.cryptodata.CryptoDataRead.NEWS_DETAIL;
import static dev.octroi.services.cryptodata.CryptoDataRead.ONCHAIN_GAS_PRICE;
import static dev.octroi.services.cryptodata.CryptoDataRead.ONCHAIN_TX;
import static dev.octroi.services.cryptodata.CryptoDataRead.PROJECT_DETAIL;
import static dev.octroi.services.cryptodata.CryptoDataRead.SOCIAL_DETAIL;
import static dev.octroi.services.cryptodata.CryptoDataRead.SOCIAL_USER;
import static dev.octroi.services.cryptodata.CryptoDataRead.WALLET_DETAIL;
import static dev.octroi.services.cryptodata.CryptoDataRead.WEB_FETCH;
import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Connector;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource.Computation;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.VenueWords;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The crypto-data vendor: answers {@code {data, meta}}, errors {@code {error: {code, message}}}.
 * Immutable.
 *
 * @param statedRecords whether the records that the specification states are made; otherwise every
 *     body passes as it is
 * @param words what the vendor calls the venues
 */
public record CryptoDataConnector(boolean statedRecords, VenueWords words) implements Connector {

  /** What names something where no parameter is required, listed or forwarded. */
  private static final List<String> NAMES =
      List.of("id", "q", "symbol", "ticker", "market_slug", "event_slug", "market_ticker");

  /**
   * Path, and where each element of the data says what it is about: {@link
   * UpstreamTarget#requireAbout}. Names that the vendor looks for or renames, such as the symbol of
   * a price, and addresses that it follows elsewhere, are not among them.
   */
  private static final Map<String, List<String>> ABOUT =
      """
      /exchange/price                    | pair= exchange=
      /exchange/perp                     | pair= exchange=
      /exchange/depth                    | pair= exchange=
      /exchange/klines                   | pair= exchange= interval=
      /exchange/funding-history          | pair= exchange=
      /exchange/long-short-ratio         | pair= exchange=
      /market/etf                        | symbol=
      /market/options                    | symbol=
      /market/onchain-indicator          | symbol= metric=
      /market/price-indicator            | symbol= name=indicator interval=
      /onchain/gas-price                 | chain=
      /onchain/tx                        | hash=
      /wallet/detail                     | evm_balance.address=address sol_balance.address=address
      /wallet/transfers                  | from_address,to_address=address
      /wallet/labels/batch               | address=addresses
      /social/tweets                     | tweet_id=ids
      /social/user                       | handle=
      /token/dex-trades                  | token_bought_address,token_sold_address=address
      /fund/detail                       | id=
      /project/detail                    | overview.id=id
      /news/detail                       | id=
      /prediction-market/venue-a/trades  | condition_id=
      /prediction-market/venue-a/markets | market_slug=
      /prediction-market/venue-b/markets | market_ticker=
      /prediction-market/venue-b/trades  | market_ticker=ticker
      /search/prediction-market          | platform=
      """
          .lines()
          .map(line -> List.of(line.split("[ |]+")))
          .collect(
              toUnmodifiableMap(words -> words.get(0), words -> words.subList(1, words.size())));

  /** An exchange may be named by its neutral word. */
  @Override
  public Map<String, List<String>> named(Read row, Map<String, List<String>> query) {
    Map<String, List<String>> named = new LinkedHashMap<>(query);
    named.computeIfPresent(
        VendorTargets.EXCHANGE, (name, values) -> values.stream().map(words::neutral).toList());
    return named;
  }

  @Override
  public UpstreamTarget target(Read row, Arguments arguments, Instant now) {
    return VendorTargets.of((CryptoDataRead) row, arguments, words, now);
  }

  @Override
  public void check(UpstreamTarget asked, UpstreamAnswer answer) {
    List<String> about = ABOUT.getOrDefault(asked.template(), List.of());
    if (about.isEmpty()) {
      return;
    }
    JsonNode data = UpstreamJson.object(answer.body()).path("data");
    for (JsonNode element : data.isArray() ? data : List.of(data)) {
      about.forEach(names -> asked.requireAbout(element, names, spelling(names)));
    }
  }

  /** A contract's pair carries its settlement currency, and a symbol may carry its quote. */
  private static UnaryOperator<String> spelling(String names) {
    return switch (names) {
      case "pair=" -> pair -> pair.replace('-', '/').replaceFirst(":.*", "");
      case "symbol=" -> symbol -> symbol.replaceFirst("/.*", "");
      default -> UnaryOperator.identity();
    };
  }

  @Override
  public Optional<Computation> computation(Read row, Arguments arguments) {
    return row.source().computation().filter(within -> arguments.has("interval"));
  }

  @Override
  public Answer success(Read row, Arguments arguments, UpstreamAnswer upstream) {
    CryptoDataRead read = (CryptoDataRead) row;
    JsonNode said = UpstreamJson.object(upstream.body());
    requireData(said);
    if (EmptyAnswers.meansUnknown(read, arguments, said)) {
      throw VendorErrors.unknown(EmptyAnswers.reason(said));
    }
    if (read == WEB_FETCH && EmptyAnswers.isWordless(said)) {
      throw VendorErrors.wordless();
    }
    if (!statedRecords) {
      return Answer.json(upstream.status(), upstream.body());
    }
    return Answer.json(upstream.status(), StatedRecords.of(read).map(arguments, upstream));
  }

  /**
   * Each answer of the vendor has data, if only null for an empty list, and each element says
   * something.
   */
  private static void requireData(JsonNode said) {
    JsonNode data = said.path("data");
    boolean told = data.isObject() || data.valueStream().allMatch(UpstreamJson::isTold);
    if ((!data.isNull() && !data.isContainerNode()) || !told) {
      throw Failures.unreadable("data, or an element of it, says nothing");
    }
  }

  @Override
  public Answer error(Read row, Arguments arguments, UpstreamAnswer upstream) {
    throw VendorErrors.ofRead(upstream, names((CryptoDataRead) row, arguments));
  }

  /** Whether the caller named something that may not be there. */
  private static boolean names(CryptoDataRead row, Arguments arguments) {
    return row.parameters().stream().anyMatch(Parameter::required)
        || NAMES.stream().anyMatch(arguments::has);
  }

  /**
   * The vendor's way of saying that it does not know a slug, an address or an id: a success without
   * data. The specification's is 404 (crypto data, rule 4).
   */
  private static final class EmptyAnswers {

    /** Rows that answer with the one thing that was named. */
    private static final Set<CryptoDataRead> ONE_THING =
        EnumSet.of(
            ONCHAIN_GAS_PRICE,
            ONCHAIN_TX,
            WALLET_DETAIL,
            SOCIAL_DETAIL,
            SOCIAL_USER,
            FUND_DETAIL,
            PROJECT_DETAIL,
            NEWS_DETAIL,
            WEB_FETCH,
            EXCHANGE_PRICE,
            EXCHANGE_PERP,
            EXCHANGE_DEPTH);

    private static final Set<String> IDENTIFIERS =
        Set.of("slug", "id", "address", "tweet_id", "handle", "condition_id", "ticker", "pair");

    private EmptyAnswers() {}

    /**
     * Whether the answer means that what the arguments name does not exist. A list may be empty
     * without that: on a later page, or when the vendor gives no reason for it.
     */
    static boolean meansUnknown(CryptoDataRead row, Arguments arguments, JsonNode said) {
      boolean one = ONE_THING.contains(row);
      if (!one && !namesSubject(row)) {
        return false;
      }
      JsonNode data = said.path("data");
      if (data.isNull() || (one && data.isEmpty())) {
        return true;
      }
      boolean reasoned = !reason(said).isBlank();
      return data.isEmpty() && reasoned && !laterPage(arguments);
    }

    /** Why the vendor's list is empty, in its words. */
    static String reason(JsonNode said) {
      return said.path("meta").path("empty_reason").asText("");
    }

    /** Whether a page was fetched that has no words. */
    static boolean isWordless(JsonNode said) {
      JsonNode page = said.path("data");
      JsonNode content = page.path("content");
      return page.isObject() && (!content.isTextual() || content.textValue().isBlank());
    }

    private static boolean namesSubject(CryptoDataRead row) {
      return row.parameters().stream()
          .filter(Parameter::required)
          .anyMatch(parameter -> IDENTIFIERS.contains(parameter.name()));
    }

    private static boolean laterPage(Arguments arguments) {
      return Stream.of("offset", "cursor", "before", "from", "to").anyMatch(arguments::has);
    }
  }
}
