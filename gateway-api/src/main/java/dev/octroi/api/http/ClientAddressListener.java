package dev.octroi.api.http;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;

/**
 * Tells the module where each request came from. Optional: without it the module asks the request
 * that is injected into it, which costs a look-up in most implementations. Thread-safe.
 */
public final class ClientAddressListener implements ServletRequestListener {

  @Override
  public void requestInitialized(ServletRequestEvent event) {
    ClientAddress.note(event.getServletRequest());
  }
}
