package dev.octroi.payments.servlet;

import jakarta.servlet.ServletContext;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A server of servlets under test, on a loopback port of its own. */
interface ServletServer {

  /**
   * Starts it with one application at {@code /shop}, whose servlet of static files serves a folder.
   *
   * @param errorPage the path that a 404 is dispatched to
   */
  void start(Consumer<ServletContext> application, Path folder, String errorPage) throws Exception;

  /** The address of the application, with a slash at its end. */
  URI base();

  void stop() throws Exception;
}
