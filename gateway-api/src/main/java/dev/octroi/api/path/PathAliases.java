package dev.octroi.api.path;

import dev.octroi.api.group.Group;
import dev.octroi.api.group.Groups;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  private final Groups groups;
  private final Map<String, Group> aliases = new HashMap<>();
  private final Map<String, String> venues = new HashMap<>();

  /**
   * @param groupNames further names of groups, by name
   * @param venueNames the venues' real names by their neutral words, several separated by commas
   */
  public PathAliases(
      Groups groups, Map<String, String> groupNames, Map<String, String> venueNames) {
    this.groups = groups;
    for (Group group : groups.all()) {
      group.aliases().forEach(alias -> aliases.put(alias, group));
    }
    groupNames.forEach(
        (alias, word) -> {
          Group group =
              groups
                  .named(word)
                  .orElseThrow(() -> new IllegalArgumentException(word + " is no group"));
          aliases.put(VERSION + alias, group);
          aliases.put(MARKETPLACE + alias, group);
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
    for (Map.Entry<String, Group> alias : aliases.entrySet()) {
      if (Groups.isAtOrBelow(alias.getKey(), versioned)) {
        versioned = alias.getValue().base() + versioned.substring(alias.getKey().length());
        break;
      }
    }
    String named = versioned;
    return groups
        .of(named)
        .filter(Group::namesVenues)
        .map(group -> group.base() + venueWords(named.substring(group.base().length())))
        .orElse(versioned);
  }

  /** The group that a canonical path belongs to. */
  Optional<Group> group(String canonicalPath) {
    return groups.of(canonicalPath);
  }

  /** Whether a path, read as carelessly as can be, might be meant for the gateway. */
  boolean concern(String rawPath) {
    String path = LenientPath.of(rawPath);
    String versioned = path.startsWith(API + VERSION) ? path.substring(API.length()) : path;
    return groups.all().stream()
            .flatMap(group -> group.profile().bases().stream())
            .anyMatch(versioned::startsWith)
        || aliases.keySet().stream().anyMatch(versioned::startsWith)
        || OWN.stream().anyMatch(own -> Groups.isAtOrBelow(own, path));
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
