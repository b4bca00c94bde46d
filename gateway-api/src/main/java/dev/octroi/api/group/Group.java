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

  /** The word that settings and keys use: lower-case letters and digits. */
  String word();

  /** The name for people. */
  String title();

  /** What is sold, in a sentence or two of Markdown, for the description. */
  String about();

  /** The form of its errors. */
  ErrorShape errors();

  /**
   * The canonical base paths, without a slash at their ends. They may not lie within each other,
   * nor within another group's.
   */
  List<String> bases();

  /** The base path; of several, the first. */
  default String base() {
    return bases().get(0);
  }

  /** Further names of the base path, which always hold. */
  default List<String> aliases() {
    return List.of();
  }

  /** Whether venues stand in its paths, which have other names in the settings. */
  default boolean namesVenues() {
    return false;
  }

  /** The codes that its errors may have, besides those that every group's have. */
  default List<ErrorCode> codes() {
    return List.of();
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
}
