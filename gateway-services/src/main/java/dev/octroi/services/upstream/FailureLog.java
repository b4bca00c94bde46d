package dev.octroi.services.upstream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log why a call failed, which its caller never learns. */
final class FailureLog {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamClient.class);

  private static final int LONGEST = 200;

  private FailureLog() {}

  /**
   * One line.
   *
   * @param upstream the group's name
   * @param status 0 where there is none
   */
  static void warn(String upstream, int status, Throwable failure) {
    Throwable why = failure.getCause() == null ? failure : failure.getCause();
    LOG.warn("Upstream {}, status {}: {}", upstream, status, oneLine(why));
  }

  /** An exception's text may quote the upstream, which may have said anything. */
  private static String oneLine(Throwable why) {
    String text = why.toString().lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?");
    return text.substring(0, Math.min(LONGEST, text.length()));
  }
}
