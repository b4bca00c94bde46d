package dev.octroi.api.path;

import dev.octroi.api.group.Group;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Other names of the canonical paths: {@code /api/v1}, {@code /v1/prediction}, further names of
 * groups and the venues' real names (decisions, prefixes and venue words). Immutable.
 */
public final class PathAliases {

  private static final String API = "/api";
  private static final String VERSION = "/v1/";
  private static final String MARKETPLACE = "/v1/marketplace/";

  /** The gateway's own endpoints, which belong to no group. */
  private static final List<String> OWN =
      List.of(
          "/v1/wallet",
          "/v1/usage",
          "/v1/receipts",
          "/v1/webhooks",
          "/v1/assets",
          "/admin/v1",
          "/console",
          "/facilitator",
          "/discovery/resources",
          "/mcp");

  /** Venue words stand first or second below the base; further right are callers' values. */
  private static final int VENUE_SEGMENTS = 2;

  private final Map<String, Group> groups = new HashMap<>();
  private final Map<String, String> venues = new HashMap<>();

  /**
   * @param aliases further names of groups, by name
   * @param venueNames the venues' real names by their neutral words, several separated by commas
   */
  public PathAliases(Map<String, String> aliases, Map<String, String> venueNames) {
    groups.put(VERSION + Group.PREDICTION.word(), Group.PREDICTION);
    aliases.forEach(
        (alias, word) -> {
          Group group = Group.valueOf(word.toUpperCase(Locale.ROOT));
          groups.put(VERSION + alias, group);
          groups.put(MARKETPLACE + alias, group);
        });
    venueNames.forEach(
        (word, names) -> {
          for (String name : names.split(",", -1)) {
            venues.put(name.strip(), word);
          }
        });
  }

  /** The canonical form of a plain path; the path itself where it is none of ours. */
  public String canonical(String path) {
    String versioned = path.startsWith(API + VERSION) ? path.substring(API.length()) : path;
    for (Map.Entry<String, Group> alias : groups.entrySet()) {
      if (Group.isAtOrBelow(alias.getKey(), versioned)) {
        versioned = alias.getValue().base() + versioned.substring(alias.getKey().length());
        break;
      }
    }
    String named = versioned;
    return Group.of(named)
        .filter(group -> group == Group.CRYPTODATA || group == Group.PREDICTION)
        .map(group -> group.base() + venueWords(named.substring(group.base().length())))
        .orElse(versioned);
  }

  /** Whether a path, read as carelessly as can be, might be meant for the gateway. */
  boolean concern(String rawPath) {
    String path = LenientPath.of(rawPath);
    String versioned = path.startsWith(API + VERSION) ? path.substring(API.length()) : path;
    return Arrays.stream(Group.values()).anyMatch(group -> versioned.startsWith(group.base()))
        || groups.keySet().stream().anyMatch(versioned::startsWith)
        || OWN.stream().anyMatch(own -> Group.isAtOrBelow(own, path));
  }

  private String venueWords(String below) {
    String[] segments = below.split("/", VENUE_SEGMENTS + 2);
    boolean renamed = false;
    for (int i = 1; i < segments.length && i <= VENUE_SEGMENTS; i++) {
      String word = venues.get(segments[i]);
      if (word != null) {
        segments[i] = word;
        renamed = true;
      }
    }
    return renamed ? String.join("/", segments) : below;
  }
}
