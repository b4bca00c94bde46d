package dev.octroi.war;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayApplication;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.ReadFilter;
import dev.octroi.api.RouteFilter;
import dev.octroi.api.UnsetApplication;
import dev.octroi.api.health.Readiness.HealthCheck;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.Migrations;
import dev.octroi.db.SchemaWatch;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.ws.rs.core.Application;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the gateway before the server makes the JAX-RS application, and closes all of it at
 * undeployment. One that is not configured says in the log and at its home what to set; one that
 * cannot start for another reason fails the deployment.
 */
@WebListener
public final class GatewayLifecycle implements ServletContextListener {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayLifecycle.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  @Override
  public void contextInitialized(ServletContextEvent event) {
    // First, so that it is done last.
    parts.push(LastTypes::forget);
    try {
      GatewaySettings settings =
          NeutralThreads.of(() -> ContextSettings.of(event.getServletContext()));
      GatewayBuilder gateway =
          NeutralThreads.of(() -> Gateway.builder().settings(settings).strict(true).checked());
      // Only the application's own thread can ask the server's directory.
      ContainerThreads.find().ifPresent(gateway::threads);
      Optional<DataSource> container = settings.database().jndiName().map(ContainerDatabase::named);
      NeutralThreads.during(
          () ->
              start(
                  gateway,
                  container
                      .map(GatewayLifecycle::migrated)
                      .orElseGet(() -> pool(settings.database()))));
      new RouteFilter(DeployedGateway.get()).register(event.getServletContext());
      new ReadFilter(DeployedGateway.get()).register(event.getServletContext());
    } catch (InvalidSettings e) {
      LOG.error("The gateway does not start: {}", e.getMessage());
      close();
      DeployedGateway.unset(e);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void start(GatewayBuilder builder, DataSource database) {
    builder.database(database).check(schema(new SchemaWatch(database)));
    if (database instanceof HikariDataSource pool) {
      builder.figures(pool::setMetricRegistry);
    }
    Gateway gateway = builder.build();
    parts.push(gateway);
    DeployedGateway.set(gateway);
    gateway.warmUp();
    if (gateway.isSandbox()) {
      LOG.warn("The gateway takes sandbox money, which is worthless: for trying things out only");
    }
  }

  private static DataSource migrated(DataSource container) {
    Migrations.apply(container);
    return container;
  }

  private DataSource pool(DatabaseSettings settings) {
    parts.push(OwnDrivers::deregister);
    HikariDataSource pool = LedgerPool.open(settings);
    parts.push(pool);
    return pool;
  }

  private static HealthCheck schema(SchemaWatch schema) {
    return new HealthCheck(
        "migrations",
        "Deploy this version once with a database user that may change the schema.",
        schema::isApplied);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    close();
  }

  private void close() {
    DeployedGateway.set(null);
    NeutralThreads.during(this::closeParts);
  }

  /** In the reverse order of their start; one that fails does not keep the others open. */
  private void closeParts() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.error("A part of the gateway did not close well", e);
      }
    }
  }

  /** The JDBC drivers in the web application: registered with the JVM, they would outlive it. */
  private static final class OwnDrivers {

    private OwnDrivers() {}

    static void deregister() throws SQLException {
      for (Driver driver : DriverManager.drivers().toList()) {
        if (driver.getClass().getClassLoader() == OwnDrivers.class.getClassLoader()) {
          DriverManager.deregisterDriver(driver);
        }
      }
    }
  }

  /** The threads that a Jakarta EE server manages (Jakarta Concurrency). */
  private static final class ContainerThreads {

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

  /**
   * The settings of a web application: the process's, and below them the context's init parameters
   * whose names begin {@code gateway.}.
   */
  private static final class ContextSettings {

    private static final String PREFIX = "gateway.";

    private ContextSettings() {}

    /**
     * Reads them.
     *
     * @throws dev.octroi.api.settings.InvalidSettings with every problem
     */
    static GatewaySettings of(ServletContext context) {
      return GatewaySettings.read(
          SettingsSources.ofProcess().values("context parameter", parameters(context)));
    }

    private static Map<String, String> parameters(ServletContext context) {
      Map<String, String> parameters = new HashMap<>();
      for (String name : Collections.list(context.getInitParameterNames())) {
        if (name.startsWith(PREFIX)) {
          parameters.put(name, context.getInitParameter(name));
        }
      }
      return parameters;
    }
  }

  /**
   * What the JDK remembers of the last record whose methods it made: its own method handles that
   * compare and hash the parts of records keep the last types they were adapted to, up to JDK 17,
   * and a type keeps its class loader.
   */
  private static final class LastTypes {

    private static final List<String> METHODS = List.of("equals", "hashCode");

    private LastTypes() {}

    /** Has it remember a class of its own in place of the web application's. */
    static void forget() {
      try {
        MethodHandle part =
            MethodHandles.publicLookup()
                .findVirtual(String.class, "strip", MethodType.methodType(String.class));
        for (String method : METHODS) {
          var unused =
              ObjectMethods.bootstrap(
                  MethodHandles.lookup(), method, MethodHandle.class, String.class, "part", part);
        }
      } catch (Throwable e) {
        throw new IllegalStateException("the JDK makes no methods of records", e);
      }
    }
  }

  /** The server's own pool of connections, by its name in the server's directory (JNDI). */
  private static final class ContainerDatabase {

    private static final String RELATIVE_TO = "java:comp/env/";

    private ContainerDatabase() {}

    /**
     * Looks it up, as a thread of the web application; stays the server's to close.
     *
     * @param name as the server knows it, or as the application's own reference to it
     * @throws InvalidSettings if there is no such pool
     */
    static DataSource named(String name) {
      try {
        Context directory = new InitialContext();
        if (find(directory, name) instanceof DataSource pool) {
          return pool;
        }
        throw new NamingException("what is there is no javax.sql.DataSource");
      } catch (NamingException e) {
        InvalidSettings unusable =
            new InvalidSettings(
                List.of(
                    "gateway.database.jndi-name is "
                        + name
                        + ", where the server has no pool of connections: "
                        + e.getMessage()));
        unusable.initCause(e);
        throw unusable;
      }
    }

    /** The name is the operator's own setting: no caller has a say in it. */
    @SuppressWarnings("BanJNDI")
    private static Object find(Context directory, String name) throws NamingException {
      try {
        return directory.lookup(name);
      } catch (NamingException e) {
        if (name.startsWith("java:")) {
          throw e;
        }
        return directory.lookup(RELATIVE_TO + name);
      }
    }
  }

  /**
   * Where the lifecycle leaves the gateway for the JAX-RS application: servers make both themselves
   * and differ in what they hand to the latter. The class is loaded once per deployment, so this is
   * the deployment's own.
   */
  static final class DeployedGateway {

    private static final AtomicReference<@Nullable Gateway> CURRENT = new AtomicReference<>();
    private static final AtomicReference<@Nullable InvalidSettings> UNSET = new AtomicReference<>();

    private DeployedGateway() {}

    static void set(@Nullable Gateway gateway) {
      CURRENT.set(gateway);
      UNSET.set(null);
    }

    /** There is none, and this is why. */
    static void unset(InvalidSettings why) {
      UNSET.set(why);
    }

    static Gateway get() {
      Gateway gateway = CURRENT.get();
      if (gateway == null) {
        throw new IllegalStateException("the gateway did not start; the log says why");
      }
      return gateway;
    }

    /** The gateway's application, or the one that says what to set. */
    static Application application() {
      InvalidSettings why = UNSET.get();
      return why == null ? new GatewayApplication(get()) : new UnsetApplication(why);
    }
  }

  /**
   * Work that leaves nothing of the web application behind on the server's threads.
   *
   * <p>What a library keeps in a variable of the thread that uses it first dies with the thread
   * that the work gets here. A thread inherits its maker's class loader, and some that the JVM
   * makes for the gateway outlive it, one of them for ever.
   */
  static final class NeutralThreads {

    private NeutralThreads() {}

    /**
     * Runs this on a thread of its own whose threads will be the server's, and waits for its end;
     * throws what it throws.
     */
    static void during(Runnable work) {
      keepTime();
      var unused = await(Executors.callable(work), ClassLoader.getSystemClassLoader());
    }

    /**
     * The same for what makes no threads, and finds its parts by the class loader of the thread.
     */
    static <T> T of(Callable<T> work) {
      return await(work, Thread.currentThread().getContextClassLoader());
    }

    private static <T> T await(Callable<T> work, ClassLoader loader) {
      FutureTask<T> task = new FutureTask<>(work);
      Thread thread = new Thread(task, "octroi-deployment");
      thread.setContextClassLoader(loader);
      thread.start();
      return await(task);
    }

    /** An interrupt of the waiting server thread does not stop what is half done. */
    private static <T> T await(FutureTask<T> task) {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return task.get();
          } catch (InterruptedException e) {
            interrupted = true;
          } catch (ExecutionException e) {
            throw unchecked(e);
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private static RuntimeException unchecked(ExecutionException ended) {
      Throwable thrown = ended.getCause();
      if (thrown instanceof Error error) {
        throw error;
      }
      return thrown instanceof RuntimeException known ? known : new IllegalStateException(ended);
    }

    /**
     * Has the JVM make the one thread by which it keeps time for all futures, if it has not yet.
     * The thread remembers whose code made it, up to Java 23, so this is done by code of the JDK
     * alone, on a thread of the JDK.
     */
    private static void keepTime() {
      CompletableFuture<Void> never = new CompletableFuture<>();
      try {
        MethodHandle orTimeout =
            MethodHandles.publicLookup()
                .findVirtual(
                    CompletableFuture.class,
                    "orTimeout",
                    MethodType.methodType(CompletableFuture.class, long.class, TimeUnit.class));
        MethodHandle soon =
            MethodHandles.insertArguments(orTimeout, 0, never, 1L, TimeUnit.MILLISECONDS)
                .asType(MethodType.methodType(void.class));
        ForkJoinPool.commonPool()
            .execute(MethodHandleProxies.asInterfaceInstance(Runnable.class, soon));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      // Waiting for the task itself would do it here, on the thread that waits.
      never.exceptionally(timeout -> null).join();
    }
  }
}
