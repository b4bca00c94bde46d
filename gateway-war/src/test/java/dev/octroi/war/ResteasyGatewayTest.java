package dev.octroi.war;

import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.core.providerfactory.ResteasyProviderFactoryImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher;
import org.jboss.resteasy.spi.Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.jboss.resteasy.spi.ResteasyProviderFactory;

class ResteasyGatewayTest extends EmbeddedHost {

  @Override
  RuntimeDelegate implementation() {
    return new ResteasyProviderFactoryImpl();
  }

  @Override
  Servlet servlet(Application application, ServletContextHandler context) {
    ResteasyDeployment deployment = new ResteasyDeploymentImpl();
    deployment.setApplication(application);
    deployment.start();
    context.setAttribute(ResteasyProviderFactory.class.getName(), deployment.getProviderFactory());
    context.setAttribute(Dispatcher.class.getName(), deployment.getDispatcher());
    context.setInitParameter("resteasy.servlet.mapping.prefix", "/api");
    return new HttpServletDispatcher();
  }
}
