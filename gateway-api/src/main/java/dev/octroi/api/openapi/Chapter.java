package dev.octroi.api.openapi;

import static dev.octroi.services.ErrorCode.*;

import dev.octroi.api.group.Group;
import dev.octroi.services.ErrorCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The chapters of the description: a group each, and the gateway's own. */
enum Chapter {
  CRYPTODATA(
      "Crypto data",
      "Exchanges, markets, on-chain SQL, wallets, social media, tokens, funds, projects and news."
          + " One price for every call.",
      Group.CRYPTODATA,
      INVALID_PAIR,
      SQL_SYNTAX_ERROR,
      NOT_FOUND,
      QUERY_TIMEOUT),
  PREDICTION(
      "Prediction markets",
      "Markets, order books, wallets, leaderboards, sports and matching over several venues, read"
          + " only. Also served below `/v1/prediction`.",
      Group.PREDICTION,
      INVALID_ADDRESS,
      MARKET_NOT_FOUND,
      MARKET_CLOSED),
  PHONE(
      "Phone",
      "Numbers of the US and Canada for 30 days, carrier and fraud lookups, texts.",
      Group.PHONE,
      INVALID_PHONE_NUMBER,
      NUMBER_NOT_OWNED,
      NUMBER_UNAVAILABLE,
      SMS_UNAVAILABLE),
  VOICE(
      "Voice",
      "Outbound calls that an assistant speaks, from leased numbers, with transcripts.",
      Group.VOICE,
      INVALID_PHONE_NUMBER,
      NUMBER_NOT_OWNED,
      CALL_NOT_FOUND,
      CALL_NOT_ACTIVE,
      CALL_FAILED),
  WEBSEARCH(
      "Web search",
      "Search, contents of pages, answers with sources, passages.",
      Group.WEBSEARCH,
      QUERY_TOO_LONG,
      INVALID_URL,
      NOT_FOUND,
      URL_UNREACHABLE),
  SMARTSEARCH(
      "Smart search",
      "A written summary with numbered citations.",
      Group.SMARTSEARCH,
      QUERY_TOO_LONG,
      MODEL_NOT_FOUND),
  MESSAGES(
      "Messages",
      "Language models in their vendor's own messages protocol, streams included.",
      Group.MESSAGES,
      MODEL_NOT_FOUND,
      CONTENT_FILTERED,
      CONTEXT_LENGTH_EXCEEDED,
      PRICE_UNAVAILABLE),
  CHAT(
      "Chat and responses",
      "The same models in two more protocols, and the catalogue of all of them.",
      Group.CHAT,
      MODEL_NOT_FOUND,
      CONTENT_FILTERED,
      CONTEXT_LENGTH_EXCEEDED,
      PRICE_UNAVAILABLE),
  MUSIC(
      "Music",
      "A track of up to three minutes from a prompt.",
      Group.MUSIC,
      MODEL_NOT_FOUND,
      CONTENT_FILTERED),
  IMAGES(
      "Images",
      "Pictures drawn and edited; what takes longer than 30 seconds becomes a job.",
      Group.IMAGES,
      MODEL_NOT_FOUND,
      CONTENT_FILTERED,
      INVALID_URL,
      NOT_FOUND,
      URL_UNREACHABLE),
  ACCOUNT("Account", "What was bought, and an API key's own wallet and limits. Free.", null),
  FILES(
      "Files",
      "What answers link to. A caller needs to know the address, and nothing else. Free.",
      null),
  GATEWAY("Gateway", "What this is, and its description. Free.", null),
  FACILITATOR("Facilitator", "The x402 facilitator interface, for other servers.", null),
  OPERATOR("Operator", "For the operator's token only.", null);

  private static final Set<ErrorCode> ALWAYS =
      EnumSet.of(INVALID_PARAMS, RATE_LIMITED, INTERNAL, UPSTREAM_FAILED, UPSTREAM_UNAVAILABLE);

  private final String title;
  private final String about;
  private final @Nullable Group group;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<ErrorCode> codes;

  Chapter(String title, String about, @Nullable Group group, ErrorCode... codes) {
    this.title = title;
    this.about = about;
    this.group = group;
    this.codes = List.of(codes);
  }

  static Chapter of(String path) {
    Optional<Group> group = Group.of(path);
    if (group.isPresent()) {
      return Arrays.stream(values())
          .filter(chapter -> chapter.group == group.get())
          .findFirst()
          .orElse(GATEWAY);
    }
    if (path.startsWith("/admin/")) {
      return OPERATOR;
    }
    if (path.startsWith("/facilitator/")) {
      return FACILITATOR;
    }
    if (path.startsWith("/v1/assets/")) {
      return FILES;
    }
    return path.startsWith("/v1/") && !path.startsWith("/v1/webhooks") ? ACCOUNT : GATEWAY;
  }

  String title() {
    return title;
  }

  String about() {
    return about;
  }

  Optional<Group> group() {
    return Optional.ofNullable(group);
  }

  /** The codes of a status that calls of this chapter may be answered with. */
  List<ErrorCode> codes(int status) {
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.status() == status)
        .filter(code -> codes.contains(code) || (group != null && ALWAYS.contains(code)))
        .toList();
  }
}
