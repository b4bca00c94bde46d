package dev.octroi.war;

import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that a Jakarta EE server manages (Jakarta Concurrency). */
final class ContainerThreads {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerThreads.class);

  /** What the platform calls the factory that every application has. */
  private static final String DEFAULT = "java:comp/DefaultManagedThreadFactory";

  private ContainerThreads() {}

  /** Looks the factory up, as a thread of the web application; servlet containers have none. */
  @SuppressWarnings("BanJNDI") // the name is the platform's
  static Optional<ThreadFactory> find() {
    try {
      if (new InitialContext().lookup(DEFAULT) instanceof ThreadFactory managed) {
        LOG.info("Upstreams are called on threads that the server manages");
        return Optional.of(managed);
      }
    } catch (NamingException none) {
      LOG.debug("The server manages no threads", none);
    }
    return Optional.empty();
  }
}
