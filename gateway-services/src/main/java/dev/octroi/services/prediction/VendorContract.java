package dev.octroi.services.prediction;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.Failures;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What the vendor's contract promises of its answers, and without which they are not sold: the list
 * that was asked for, and what makes each of its elements one. Everything else may be there or not.
 */
final class VendorContract {

  /**
   * Path, the member that is the list ({@code -} for the answer itself), what each element has:
   * {@code !} of which no other has the same, {@code %} a number from 0 to 1, {@code +} a number
   * that is not negative, {@code @} an object that says something.
   */
  private static final Map<String, List<String>> PROMISED =
      """
      /venue-a/markets                              | markets condition_id!
      /venue-a/markets/keyset                       | markets condition_id! title
      /venue-a/events                               | events id!
      /venue-a/events/keyset                        | events id!
      /venue-a/crypto-updown                        | markets condition_id! title
      /venue-a/market-price/{token_id}              | - price%
      /venue-a/candlesticks/{condition_id}          | candlesticks end_period_ts price
      /venue-a/candlesticks/token/{token_id}        | candlesticks end_period_ts price
      /venue-a/volume-chart/{condition_id}          | data timestamp total_volume+
      /venue-a/orderbooks                           | snapshots timestamp
      /venue-a/trades                               | trades price% timestamp
      /venue-a/activity                             | activities timestamp
      /venue-a/markets/{token_id}/volume            | volume_over_time timestamp volume+
      /venue-a/markets/{condition_id}/open_interest | open_interest_over_time timestamp
      /venue-a/positions                            | positions market position
      /venue-a/leaderboard                          | entries user! metrics
      /venue-a/leaderboard/market/{condition_id}    | entries user metrics
      /venue-a/cohorts/stats                        | cohorts cohort_name
      /venue-a/market/{condition_id}/top-holders    | entries user position_shares
      /venue-a/market/{condition_id}/smart-money    | - positioning
      /venue-a/markets/smart-activity               | markets condition_id!
      /venue-a/wallet/{wallet}                      | - user metrics
      /venue-a/wallet/{wallet}/markets              | markets condition_id metrics
      /venue-a/wallet/{wallet}/similar              | similar_wallets user!
      /venue-a/wallet/pnl/{wallet}                  | pnl_over_time timestamp pnl_to_date
      /venue-a/wallet/positions/{wallet}            | positions market position
      /venue-a/wallet/volume-chart/{wallet}         | data timestamp total_volume+
      /venue-a/wallets/filter                       | entries user!
      /sports/categories                            | categories
      /sports/markets                               | games
      /sports/markets/{game_id}                     | - game_id
      /sports/outcomes/{predexon_id}                | - predexon_id
      /outcomes/{predexon_id}                       | - predexon_id
      /matching-markets                             | - matches
      /matching-markets/pairs                       | pairs
      /markets/search                               | markets title
      /markets                                      | markets
      /markets/listings                             | listings
      /venue-b/markets                              | markets ticker!
      /venue-b/trades                               | trades yes_price%
      /venue-b/orderbooks                           | snapshots timestamp
      /exchange-a/candles/{symbol}                  | candles timestamp close
      /exchange-a/ticks/{symbol}                    | ticks timestamp
      /venue-c/trades                               | trades signature
      /venue-c/wallet/positions/{wallet}            | positions outcome_mint
      /venue-c/wallet/pnl/{wallet}                  | pnl_over_time timestamp pnl_to_date
      /venue-a/wallet/{wallet}/cluster              | siblings address
      /venue-a/wallet/identity/{wallet}             | - profile@
      /venue-a/wallet/identities                    | - profiles
      /venue-a/oracle/markets                       | items
      /venue-a/oracle/market/{condition_id}         | - question
      /venue-d/markets                              | markets title
      /venue-d/orderbooks                           | snapshots timestamp
      /venue-e/markets                              | markets title
      /venue-e/orderbooks                           | snapshots timestamp
      /venue-f/markets                              | markets title
      /venue-f/orderbooks                           | snapshots timestamp
      """
          .lines()
          .map(line -> Arrays.asList(line.split("[ |]+")))
          .collect(toUnmodifiableMap(words -> words.get(0), words -> words));

  /**
   * Path, and where each element of that list says what it is about ({@link
   * UpstreamTarget#requireAbout}); with a slash, where the answer itself does. {@code ~} is a time
   * within the window that was asked for.
   */
  private static final Map<String, List<String>> ABOUT =
      """
      /venue-a/markets                              | condition_id= market_slug= event_slug=
      /venue-a/markets/keyset                       | condition_id= market_slug= event_slug=
      /venue-a/events                               | id= slug=
      /venue-a/events/keyset                        | id= slug=
      /venue-a/crypto-updown                        | asset= timeframe=
      /venue-a/candlesticks/{condition_id}          | /condition_id=
      /venue-a/candlesticks/token/{token_id}        | /token_id=
      /venue-a/volume-chart/{condition_id}          | /condition_id= /granularity=
      /venue-a/orderbooks                           | assetId=token_id timestamp~
      /venue-a/trades                               | condition_id= market_slug= token_id= user,taker=wallet timestamp~
      /venue-a/activity                             | user=wallet condition_id= market_slug= timestamp~
      /venue-a/markets/{token_id}/volume            | /token_id= /granularity=
      /venue-a/markets/{condition_id}/open_interest | /condition_id= /granularity=
      /venue-a/positions                            | user=wallet market.condition_id=condition_id
      /venue-a/leaderboard                          | /window= /sort_by=
      /venue-a/leaderboard/market/{condition_id}    | /condition_id= /window= /sort_by=
      /venue-a/cohorts/stats                        | /window=
      /venue-a/market/{condition_id}/top-holders    | /condition_id=
      /venue-a/market/{condition_id}/smart-money    | /positioning.condition_id=condition_id /window=
      /venue-a/markets/smart-activity               | /window=
      /venue-a/wallet/{wallet}                      | /user=wallet
      /venue-a/wallet/{wallet}/markets              | /user=wallet /window=
      /venue-a/wallet/{wallet}/similar              | /target_wallet=wallet /window=
      /venue-a/wallet/{wallet}/cluster              | /seed=wallet
      /venue-a/wallet/pnl/{wallet}                  | /wallet_address=wallet /granularity=
      /venue-a/wallet/positions/{wallet}            | /wallet_address=wallet market.condition_id=condition_id
      /venue-a/wallet/volume-chart/{wallet}         | /wallet_address=wallet /granularity=
      /venue-a/wallet/identity/{wallet}             | /address=wallet
      /venue-a/wallets/filter                       | /window= /sort_by=
      /venue-a/oracle/markets                       | /state=
      /venue-a/oracle/market/{condition_id}         | /condition_id=
      /sports/markets/{game_id}                     | /game_id=
      /sports/outcomes/{predexon_id}                | /predexon_id=
      /outcomes/{predexon_id}                       | /predexon_id=
      /matching-markets                             | /query.condition_id=venue_a_condition_id /query.market_ticker=venue_b_market_ticker
      /venue-b/markets                              | ticker= event_ticker=
      /venue-b/trades                               | ticker= created_time~
      /venue-b/orderbooks                           | ticker= timestamp~
      /exchange-a/candles/{symbol}                  | /symbol= /interval=
      /exchange-a/ticks/{symbol}                    | /symbol=
      /venue-c/trades                               | owner_wallet=wallet market_ticker= outcome_mint= timestamp~
      /venue-c/wallet/positions/{wallet}            | /wallet= market_ticker= outcome_mint=
      /venue-c/wallet/pnl/{wallet}                  | /wallet_address=wallet /granularity=
      /venue-d/markets                              | market_slug=
      /venue-d/orderbooks                           | market_slug=
      /venue-e/markets                              | market_id=
      /venue-e/orderbooks                           | market_id=
      /venue-f/markets                              | market_id=
      /venue-f/orderbooks                           | market_id=
      """
          .lines()
          .map(line -> Arrays.asList(line.split("[ |]+")))
          .collect(toUnmodifiableMap(words -> words.get(0), words -> words));

  private static final List<String> ANY_OBJECT = List.of("", "-");

  private VendorContract() {}

  /**
   * Looks at an answer.
   *
   * @throws dev.octroi.services.Failure 502 for one that lacks what is promised, or is about
   *     something else than was asked for
   */
  static void check(UpstreamTarget asked, JsonNode answer) {
    List<String> promised = PROMISED.getOrDefault(asked.template(), ANY_OBJECT);
    List<String> about = ABOUT.getOrDefault(asked.template(), List.of());
    String list = promised.get(1);
    Set<JsonNode> told = new HashSet<>();
    for (JsonNode element : list.equals("-") ? List.of(answer) : UpstreamJson.list(answer, list)) {
      Failures.require(element.isObject() && !element.isEmpty(), "an element says nothing");
      promised.stream().skip(2).forEach(promise -> check(promise, element, told));
      about.stream()
          .skip(1)
          .filter(names -> !names.startsWith("/"))
          .forEach(names -> requireAbout(asked, element, names));
    }
    about.stream()
        .skip(1)
        .filter(names -> names.startsWith("/"))
        .forEach(names -> requireAbout(asked, answer, names.substring(1)));
  }

  private static void requireAbout(UpstreamTarget asked, JsonNode part, String names) {
    if (names.endsWith("~")) {
      JsonNode time = part.path(names.substring(0, names.length() - 1));
      Failures.require(
          isAfter(time, asked, "start_time", 1) && isAfter(time, asked, "end_time", -1),
          "a time lies outside of what was asked for");
    } else {
      asked.requireAbout(part, names, UnaryOperator.identity());
    }
  }

  /** Whether a time lies on that side of a bound, or at it; also where there is none. */
  private static boolean isAfter(JsonNode time, UpstreamTarget asked, String bound, int side) {
    return !time.isNumber()
        || asked.query().getOrDefault(bound, List.of()).stream()
            .allMatch(value -> time.decimalValue().compareTo(new BigDecimal(value)) * side >= 0);
  }

  private static void check(String promise, JsonNode element, Set<JsonNode> told) {
    String member = promise.replaceFirst("[!%+@]$", "");
    JsonNode value = UpstreamJson.present(element.path(member), member);
    switch (promise.substring(member.length())) {
      case "%" -> UpstreamJson.fraction(element, member);
      case "+" -> UpstreamJson.amount(element, member);
      case "!" -> Failures.require(told.add(value), "an element stands there twice");
      case "@" -> Failures.require(UpstreamJson.isTold(value), "an element says nothing");
      default -> {
        // that it is there is all
      }
    }
  }
}
