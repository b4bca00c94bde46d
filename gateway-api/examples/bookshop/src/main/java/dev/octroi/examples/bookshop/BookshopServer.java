package dev.octroi.examples.bookshop;

import dev.octroi.api.Gateway;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jboss.resteasy.cdi.CdiInjectorFactory;
import org.jboss.resteasy.cdi.ResteasyCdiExtension;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher;
import org.jboss.resteasy.spi.Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.jboss.resteasy.spi.ResteasyProviderFactory;
import org.jboss.weld.environment.se.ContainerLifecycleObserver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Weld, RESTEasy on top of it, and Jetty on the loopback address. Thread-safe. */
final class BookshopServer implements AutoCloseable {

  /** A payment is a header of up to 16 KiB, more than Jetty takes by itself. */
  private static final int HEADER_BYTES = 40 * 1024;

  private static final int GRACE_MILLIS = 10_000;

  private final WeldContainer beans;
  private final Server server;
  private final ServerConnector connector;

  private BookshopServer(WeldContainer beans, Server server, ServerConnector connector) {
    this.beans = beans;
    this.server = server;
    this.connector = connector;
  }

  /** Starts to serve with a gateway that stays the caller's to close; 0 is any free port. */
  static BookshopServer start(Gateway gateway, int port) throws Exception {
    WeldContainer beans = beans(gateway);
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    server.setHandler(new GracefulHandler(servlet(new BookshopApplication())));
    server.setStopTimeout(GRACE_MILLIS);
    server.start();
    return new BookshopServer(beans, server, connector);
  }

  /** The gateway is a bean like the others; an application server finds a producer method. */
  private static WeldContainer beans(Gateway gateway) {
    return new Weld()
        .disableDiscovery()
        .skipShutdownHook()
        .addExtension(new ResteasyCdiExtension())
        .addBeanClasses(Shelf.class, Books.class, MountedGateway.class)
        .addContainerLifecycleObserver(
            ContainerLifecycleObserver.afterBeanDiscovery(
                event ->
                    event
                        .addBean()
                        .types(Gateway.class)
                        .scope(Singleton.class)
                        .createWith(context -> gateway)))
        .initialize();
  }

  private static ServletContextHandler servlet(Application application) {
    ResteasyDeployment deployment = new ResteasyDeploymentImpl();
    deployment.setInjectorFactoryClass(CdiInjectorFactory.class.getName());
    deployment.setApplication(application);
    deployment.start();
    ServletContextHandler context = new ServletContextHandler("/");
    context.setAttribute(ResteasyProviderFactory.class.getName(), deployment.getProviderFactory());
    context.setAttribute(Dispatcher.class.getName(), deployment.getDispatcher());
    ServletHolder holder = new ServletHolder(new HttpServletDispatcher());
    holder.setInitOrder(0);
    context.addServlet(holder, "/*");
    return context;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  /** Takes no more calls, waits for those in flight, and ends the beans. */
  @Override
  public void close() {
    LifeCycle.stop(server);
    beans.close();
  }
}
