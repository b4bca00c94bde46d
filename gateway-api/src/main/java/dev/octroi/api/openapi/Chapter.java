package dev.octroi.api.openapi;

import dev.octroi.api.group.Group;
import dev.octroi.services.ErrorCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A chapter of the description: a group's, or one of the gateway's own.
 *
 * @param word names it in the names of what belongs to it
 * @param group empty for the gateway's own
 */
record Chapter(String word, String title, String about, Optional<Group> group) {

  private static final Chapter ACCOUNT =
      own("account", "Account", "What was bought, and an API key's own wallet and limits. Free.");
  private static final Chapter FILES =
      own("files", "Files", "What answers link to, for any caller that knows the address. Free.");
  private static final Chapter GATEWAY =
      own("gateway", "Gateway", "What this is, and its description. Free.");
  private static final Chapter FACILITATOR =
      own("facilitator", "Facilitator", "The x402 facilitator interface, for other servers.");
  private static final Chapter OPERATOR =
      own("operator", "Operator", "For the operator's token only.");

  /** The gateway's own, in their order after those of groups. */
  static final List<Chapter> OWN = List.of(ACCOUNT, FILES, GATEWAY, FACILITATOR, OPERATOR);

  private static final Set<ErrorCode> ALWAYS =
      EnumSet.of(
          ErrorCode.INVALID_PARAMS,
          ErrorCode.RATE_LIMITED,
          ErrorCode.INTERNAL,
          ErrorCode.UPSTREAM_FAILED,
          ErrorCode.UPSTREAM_UNAVAILABLE);

  private static Chapter own(String word, String title, String about) {
    return new Chapter(word, title, about, Optional.empty());
  }

  static Chapter of(Group group) {
    return new Chapter(group.word(), group.title(), group.profile().about(), Optional.of(group));
  }

  /** The gateway's own chapter of a path. */
  static Chapter own(String path) {
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

  /** The codes of a status that calls of this chapter may be answered with. */
  List<ErrorCode> codes(int status) {
    List<ErrorCode> own = group.map(one -> one.profile().codes()).orElse(List.of());
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.status() == status)
        .filter(code -> own.contains(code) || (group.isPresent() && ALWAYS.contains(code)))
        .toList();
  }
}
