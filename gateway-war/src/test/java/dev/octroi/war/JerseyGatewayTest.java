package dev.octroi.war;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class JerseyGatewayTest extends EmbeddedHost {

  @Override
  RuntimeDelegate implementation() {
    return new RuntimeDelegateImpl();
  }

  @Override
  Servlet servlet(Application application, ServletContextHandler context) {
    return new ServletContainer(ResourceConfig.forApplication(application));
  }
}
