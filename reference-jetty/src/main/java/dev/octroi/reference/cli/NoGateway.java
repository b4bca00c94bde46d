package dev.octroi.reference.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;

/** No gateway answered at an address. Every command says so in the same words. */
final class NoGateway extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * What is told of it.
   *
   * @param asked the address; its path is not told
   */
  NoGateway(URI asked, IOException cause) {
    super(sentences(asked.getScheme() + "://" + asked.getRawAuthority(), cause), cause);
  }

  private static String sentences(String place, IOException thrown) {
    if (thrown instanceof SSLHandshakeException) {
      return "This machine does not trust the certificate at "
          + place
          + ". Name a file with it: java -Djavax.net.ssl.trustStore=FILE -jar octroi.jar.";
    }
    return "No gateway answers at "
        + place
        + reason(thrown)
        + ". Start it with java -jar octroi.jar, or correct the address.";
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
    return thrown instanceof ConnectException || thrown.getMessage() == null
        ? ""
        : ": " + thrown.getMessage();
  }
}
