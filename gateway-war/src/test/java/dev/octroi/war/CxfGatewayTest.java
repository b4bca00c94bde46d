package dev.octroi.war;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.apache.cxf.jaxrs.impl.RuntimeDelegateImpl;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class CxfGatewayTest extends EmbeddedHost {

  @Override
  RuntimeDelegate implementation() {
    return new RuntimeDelegateImpl();
  }

  @Override
  Servlet servlet(Application application, ServletContextHandler context) {
    return new CXFNonSpringJaxrsServlet(application);
  }
}
