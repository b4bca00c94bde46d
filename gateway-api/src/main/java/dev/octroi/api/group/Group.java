package dev.octroi.api.group;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.read.Read;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * A group of endpoints that is sold: where it lies, how its errors look, and what it becomes under
 * an operator's settings. The built-in groups implement it, and a host may add its own ({@code
 * GatewayBuilder#group}). Catalogue, description, discovery, tools, price book, figures and console
 * ask the group and its rows, so that a group is a package and one line.
 *
 * <p>Has no state and is thread-safe: what settings decide is in {@link ConfiguredGroup}, what is
 * open in {@link OpenGroup}.
 */
public interface Group {

  /**
   * What a group is called, where it lies, and how its errors look.
   *
   * @param word what settings and keys call it: lower-case letters and digits
   * @param title the name for people
   * @param about what is sold, in a sentence or two of Markdown, for the description
   * @param errors the form of its errors
   * @param bases the canonical base paths, without a slash at their ends; they may not lie within
   *     each other, nor within another group's
   * @param codes the codes that its errors may have, besides those that every group's have
   */
  record Profile(
      String word,
      String title,
      String about,
      ErrorShape errors,
      List<String> bases,
      List<ErrorCode> codes) {

    public Profile {
      bases = List.copyOf(bases);
      codes = List.copyOf(codes);
    }
  }

  /** Always the same. */
  Profile profile();

  default String word() {
    return profile().word();
  }

  default String title() {
    return profile().title();
  }

  /** The base path; of several, the first. */
  default String base() {
    return profile().bases().get(0);
  }

  /** Further names of the base path, which always hold. */
  default List<String> aliases() {
    return List.of();
  }

  /** Other names of its paths, such as vendors' clients have for them, with the canonical ones. */
  default Map<String, String> otherPaths() {
    return Map.of();
  }

  /** Whether venues stand in its paths, which have other names in the settings. */
  default boolean namesVenues() {
    return false;
  }

  /** Whether it is sold only if {@code gateway.groups} names it. */
  default boolean isChosen() {
    return true;
  }

  /**
   * The address below which its paths lie.
   *
   * @param own the one below which the gateway's own paths lie, without a slash at its end
   */
  default String address(String own) {
    return own;
  }

  /** Whether errors of its upstream reach the caller in the upstream's own words. */
  default boolean passesErrors() {
    return false;
  }

  /** The schema of the answer of one of its reads, in the description. */
  default String answerSchema(Read read) {
    return "UpstreamAnswer";
  }

  /** What is free below it and worth knowing before a call: what it is, by path. */
  default Map<String, String> freePaths() {
    return Map.of();
  }

  /** Its resource classes. */
  List<Class<?>> resources();

  /**
   * What it is under these settings; opens nothing.
   *
   * @param clock the time by which catalogues of models are read
   */
  ConfiguredGroup configured(GatewaySettings settings, Clock clock);

  /** The forms of an error body (specification, error objects; decisions, error shapes). */
  enum ErrorShape {
    /** {@code {"error":"message"}}: the gateway itself, wallet and operator endpoints. */
    FLAT,
    /** {@code {"error":{"code","message"}}}: the marketplace services and smart search. */
    NESTED,
    /** {@code {"error":{"message","type","code"}}}: the chat-completion-compatible endpoints. */
    RELAY,
    /** The relay form with the messages vendor's top-level {@code "type":"error"}. */
    MESSAGES
  }
}
