package dev.octroi.api.path;

import dev.octroi.api.group.Group;
import dev.octroi.api.group.Groups;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

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
    Optional<Group> group = groups.of(named);
    return group
        .map(Group::otherPaths)
        .map(others -> others.get(named))
        .or(
            () ->
                group
                    .filter(Group::namesVenues)
                    .map(one -> one.base() + venueWords(named.substring(one.base().length()))))
        .orElse(versioned);
  }

  /** The group that a canonical path belongs to. */
  Optional<Group> group(String canonicalPath) {
    return groups.of(canonicalPath);
  }

  /**
   * Whether a path might be meant for the gateway: as JAX-RS matches it, which cuts its parameters
   * off before anything is decoded, or read as carelessly as can be.
   */
  boolean concern(String rawPath) {
    String matched = withoutParameters(rawPath);
    return isOurs(matched) || isOurs(LenientPath.of(matched)) || isOurs(LenientPath.of(rawPath));
  }

  /** A raw path as JAX-RS matches it: matrix parameters have no part in that. */
  public static String withoutParameters(String rawPath) {
    return PARAMETERS.matcher(rawPath).replaceAll("");
  }

  private boolean isOurs(String path) {
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

  /**
   * What the most careless reader would take a path for. Only asks whether a path could be meant
   * for the gateway, so that a host's other paths are left alone.
   */
  static final class LenientPath {

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

    /** Two rounds of decoding: a proxy may do one and a container the other. */
    private static final int ROUNDS = 2;

    private LenientPath() {}

    /** Decoded, in lower case, without parameters, empty segments and dot segments. */
    static String of(String raw) {
      String path = raw;
      for (int round = 0; round < ROUNDS; round++) {
        path =
            ESCAPE
                .matcher(path)
                .replaceAll(
                    found ->
                        Matcher.quoteReplacement(
                            String.valueOf((char) Integer.parseInt(found.group(1), 16))));
      }
      Deque<String> segments = new ArrayDeque<>();
      for (String segment : path.replace('\\', '/').split("/")) {
        String plain = segment.replaceFirst(";.*", "").strip();
        if (plain.equals("..")) {
          segments.pollLast();
        } else if (!plain.isEmpty() && !plain.equals(".")) {
          segments.addLast(plain);
        }
      }
      return ("/" + String.join("/", segments)).toLowerCase(Locale.ROOT);
    }
  }
}
