package dev.octroi.reference.architecture.broken.services;

import jakarta.ws.rs.core.Response;
import java.util.Date;
import java.util.logging.Logger;

/** A service that answers HTTP, remembers in a static field, and sleeps. */
public final class HeldConnection {

  static int calls;

  public Response read() throws InterruptedException {
    calls++;
    Logger.getLogger("broken").info("read at " + new Date());
    Thread.sleep(1);
    return Response.noContent().build();
  }
}
