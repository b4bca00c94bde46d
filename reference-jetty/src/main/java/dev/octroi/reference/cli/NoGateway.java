package dev.octroi.reference.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;

/** No gateway answered at an address. Every command says so in the same words. */
final class NoGateway extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * What is told of it.
   *
   * @param asked the address; its path is not told
   */
  NoGateway(URI asked, IOException cause) {
    super(
        "No gateway answers at "
            + asked.getScheme()
            + "://"
            + asked.getRawAuthority()
            + reason(cause)
            + ". Start it with java -jar octroi.jar, or correct the address.",
        cause);
  }

  private static String reason(IOException thrown) {
    if (thrown instanceof HttpTimeoutException) {
      return " in time";
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return ": the host is unknown";
      }
    }
    if (thrown instanceof ConnectException) {
      return "";
    }
    return thrown.getMessage() == null ? "" : ": " + thrown.getMessage();
  }
}
