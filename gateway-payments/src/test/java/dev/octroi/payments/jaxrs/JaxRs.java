package dev.octroi.payments.jaxrs;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;

/** An implementation of JAX-RS. */
interface JaxRs {

  /** What builds responses in this virtual machine while it is used. */
  RuntimeDelegate delegate();

  Servlet servlet(Application application, ServletContextHandler context);

  /** A server of its own with the application. */
  default ShopHost start(Application application) throws Exception {
    return JettyHost.start(context -> servlet(application, context));
  }
}
