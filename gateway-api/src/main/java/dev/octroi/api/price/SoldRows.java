package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import dev.octroi.payments.Usd;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.RowMatcher;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that is sold, and which of it a request names. Immutable. */
final class SoldRows {

  private static final String GET = "GET";
  private static final String POST = "POST";
  private static final String CALL_RECORD = Group.VOICE.base() + "/call/{id}";

  private final List<SoldRow> all = new ArrayList<>();
  private final Map<String, SoldRow> byWord = new LinkedHashMap<>();
  private final Map<Read, SoldRow> byRead = new HashMap<>();
  private final Map<Group, RowMatcher<Read>> reads = new EnumMap<>(Group.class);

  /**
   * @param smartSearch what a smart search is listed at
   * @param callRecord what reading a call's record is listed at
   */
  SoldRows(Usd smartSearch, Usd callRecord) {
    addReads(Group.CRYPTODATA, List.of(CryptoDataRead.values()));
    addPost(Group.CRYPTODATA, "/onchain/sql", ListPrices.ONCHAIN);
    addPost(Group.CRYPTODATA, "/onchain/query", ListPrices.ONCHAIN);
    addReads(Group.PREDICTION, List.of(PredictionRead.values()));
    addPost(Group.PREDICTION, "/venue-a/wallet/identities", ListPrices.IDENTITIES);
    addPost(Group.WEBSEARCH, "/search", ListPrices.SEARCH);
    addPost(Group.WEBSEARCH, "/find-similar", ListPrices.FIND_SIMILAR);
    addPost(Group.WEBSEARCH, "/contents", ListPrices.CONTENTS);
    addPost(Group.WEBSEARCH, "/answer", ListPrices.ANSWER);
    addPost(Group.WEBSEARCH, "/highlights", ListPrices.HIGHLIGHTS);
    addPhone();
    addPost(Group.VOICE, "/call", ListPrices.CALL);
    addPost(Group.VOICE, "/call/transfer", ListPrices.CALL_TRANSFER);
    addPost(Group.VOICE, "/call/end", ListPrices.CALL_END);
    add(new SoldRow(GET, CALL_RECORD, Group.VOICE, Optional.of(callRecord)));
    add(new SoldRow(POST, Group.SMARTSEARCH.base(), Group.SMARTSEARCH, Optional.of(smartSearch)));
    addModels(Group.MESSAGES, "/v1/messages");
    addModels(Group.CHAT, "/v1/chat/completions");
    addModels(Group.CHAT, "/v1/responses");
    addModels(Group.IMAGES, "/v1/images/generations");
    addModels(Group.IMAGES, "/v1/images/edits");
    addModels(Group.MUSIC, "/v1/audio/generations");
  }

  private void addPhone() {
    addPost(Group.PHONE, "/numbers/buy", ListPrices.NUMBER_BUY);
    addPost(Group.PHONE, "/numbers/list", ListPrices.NUMBER_LIST);
    addPost(Group.PHONE, "/numbers/release", ListPrices.NUMBER_RELEASE);
    addPost(Group.PHONE, "/numbers/renew", ListPrices.NUMBER_RENEW);
    addPost(Group.PHONE, "/lookup", ListPrices.PHONE_LOOKUP);
    addPost(Group.PHONE, "/lookup/fraud", ListPrices.PHONE_FRAUD);
    addPost(Group.PHONE, "/sms/send", ListPrices.TEXT);
  }

  private void addReads(Group group, List<Read> rows) {
    reads.put(group, new RowMatcher<>(rows));
    for (Read read : rows) {
      SoldRow row = SoldRow.ofRead(group, read);
      add(row);
      byRead.put(read, row);
    }
  }

  private void addPost(Group group, String path, String dollars) {
    add(new SoldRow(POST, group.base() + path, group, Optional.of(Usd.parse(dollars))));
  }

  /** What a call of a model costs is counted from its tokens or pictures; a track's is its own. */
  private void addModels(Group group, String path) {
    add(new SoldRow(POST, path, group, Optional.empty()));
  }

  private void add(SoldRow row) {
    all.add(row);
    byWord.put(row.word(), row);
  }

  /** The groups of which something is sold. */
  List<Group> groups() {
    return all.stream().map(SoldRow::group).distinct().toList();
  }

  List<SoldRow> all() {
    return List.copyOf(all);
  }

  /** The words by which the price book names rows. */
  List<String> words() {
    return List.copyOf(byWord.keySet());
  }

  Optional<SoldRow> named(String word) {
    return Optional.ofNullable(byWord.get(word));
  }

  /** What a request for a canonical path buys; empty where nothing is sold. */
  Optional<SoldRow> of(String method, String path) {
    if (!method.equals(GET)) {
      return named(method + path);
    }
    if (path.startsWith(Group.VOICE.base() + "/call/")) {
      return named(GET + CALL_RECORD);
    }
    return Group.of(path).flatMap(group -> read(group, path.substring(group.base().length())));
  }

  private Optional<SoldRow> read(Group group, String below) {
    RowMatcher<Read> matcher = reads.get(group);
    return matcher == null
        ? Optional.empty()
        : matcher.match(below).map(match -> byRead.get(match.row()));
  }
}
