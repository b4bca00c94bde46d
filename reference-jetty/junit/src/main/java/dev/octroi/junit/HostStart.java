package dev.octroi.junit;

import java.net.URI;

/** Starts the host under test, as its own {@code main} would but for the money. */
@FunctionalInterface
public interface HostStart {

  /**
   * Starts it.
   *
   * @param ground gives the host its money, and is told what to close
   * @return the address below which it serves
   */
  URI start(TestGround ground) throws Exception;
}
