package dev.octroi.services.upstream;

import dev.octroi.services.HostThreads;

/**
 * What upstreams' clients get from the host that runs them.
 *
 * @param observer is told of every call
 * @param threads what calls run on
 */
public record UpstreamHost(UpstreamObserver observer, HostThreads threads) {

  /** No observer is told, and the JVM makes the threads. */
  public static final UpstreamHost PLAIN =
      new UpstreamHost(UpstreamObserver.NONE, HostThreads.OF_THE_JVM);
}
