package dev.octroi.api.language;

import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.Group;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.PricedRequest;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.relay.LanguageModels;
import java.util.ArrayList;
import java.util.List;

/** Which protocol is spoken where, and what the groups that speak them have in common. */
final class Dialects {

  static final String MESSAGES = "/v1/messages";
  static final String CHAT = "/v1/chat/completions";
  static final String RESPONSES = "/v1/responses";

  /** Below {@link #MESSAGES}. */
  static final String COUNT_TOKENS = "count_tokens";

  /** Below {@link #RESPONSES}. */
  static final String INPUT_TOKENS = "input_tokens";

  /** What is free takes what other bodies may have at most. */
  private static final List<String> COUNTING =
      List.of(MESSAGES + "/" + COUNT_TOKENS, RESPONSES + "/" + INPUT_TOKENS);

  static final List<ErrorCode> CODES =
      List.of(
          ErrorCode.MODEL_NOT_FOUND,
          ErrorCode.CONTENT_FILTERED,
          ErrorCode.CONTEXT_LENGTH_EXCEEDED,
          ErrorCode.PRICE_UNAVAILABLE);

  private Dialects() {}

  /** What has to be set for models to be sold. */
  static List<String> missing(GatewaySettings settings) {
    return settings.language().upstreams().isEmpty()
        ? List.of(
            "gateway.language.upstreams is not set: without an address no language models are sold")
        : List.of();
  }

  /** Calls of models take longest, and have the longest bodies. */
  static GroupLimits limits(GatewaySettings settings, Group group) {
    long longest = settings.language().body().bytes();
    long usual = settings.limits().jsonBody().bytes();
    List<GroupLimits.Body> bodies = new ArrayList<>();
    COUNTING.forEach(path -> bodies.add(new GroupLimits.Body(path, usual, false)));
    group.profile().bases().forEach(base -> bodies.add(new GroupLimits.Body(base, longest, false)));
    return new GroupLimits(
        settings.language().deadline(), settings.language().answer().bytes(), bodies);
  }

  /** What a caller of the messages protocol turns on; elsewhere the header means nothing. */
  static List<String> betas(Dialect dialect, PricedRequest request) {
    return dialect == Dialect.MESSAGES ? request.headers(LanguageModels.BETA_HEADER) : List.of();
  }

  static Dialect of(String path) {
    return switch (path) {
      case MESSAGES -> Dialect.MESSAGES;
      case CHAT -> Dialect.CHAT;
      case RESPONSES -> Dialect.RESPONSES;
      default -> throw new IllegalArgumentException("no protocol is spoken there");
    };
  }
}
