package dev.octroi.api.group;

import java.time.Duration;
import java.util.List;

/**
 * A group as the settings have it, before anything of it is open. What lacks a vendor is not sold:
 * {@link #serves} and {@link #lists} say so, and {@link #missing} says what to set. Thread-safe.
 */
public interface ConfiguredGroup {

  /** What it could sell, in the order in which it is listed; the group's whole price list. */
  List<SoldRow> rows();

  /** Whom it asks, by the settings; those without an address are not among them. */
  default List<Upstream> upstreams() {
    return List.of();
  }

  /** The models that it sells of its upstreams, of those that have an address. */
  default List<SoldModels> models() {
    return List.of();
  }

  /** What is wrong with its settings and forbids the start, one sentence each. */
  default List<String> problems() {
    return List.of();
  }

  /** What has to be set for the rest of it to be sold, one sentence each; empty if all of it is. */
  default List<String> missing() {
    return List.of();
  }

  /**
   * Whether calls of a canonical path of the group are served; others are 404 for nothing. Asked in
   * each call. By default all or nothing, by what is missing.
   */
  default boolean serves(String path) {
    return missing().isEmpty();
  }

  /** Whether a row is told of. Some rows are served only to say why they are not to be had. */
  default boolean lists(SoldRow row) {
    return serves(row.path());
  }

  /** How long and how large its calls may be. */
  default GroupLimits limits() {
    return GroupLimits.USUAL;
  }

  /**
   * Opens it. Called once, before the gateway serves, also where nothing of the group is sold: its
   * methods are deployed all the same, so that the tariffs that they name must be handed over, but
   * for those that have a public constructor without parameters.
   */
  OpenGroup open(GroupContext context);

  /**
   * How long and how large the calls of a group may be, where that is more than the gateway's
   * usual.
   *
   * @param call how long a call may take; zero for the usual time
   * @param answer the largest answer in bytes; zero for the usual size
   * @param bodies the bodies of requests, by path
   */
  record GroupLimits(Duration call, long answer, List<Body> bodies) {

    /** What most groups have. */
    public static final GroupLimits USUAL = new GroupLimits(Duration.ZERO, 0, List.of());

    public GroupLimits {
      bodies = List.copyOf(bodies);
    }

    /**
     * The bodies of requests.
     *
     * @param path the canonical path at or below which they are sent
     * @param longest in bytes
     * @param form whether they may be forms ({@code multipart/form-data}) besides JSON
     */
    public record Body(String path, long longest, boolean form) {}
  }
}
