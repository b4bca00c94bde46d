package dev.octroi.junit;

import dev.octroi.payments.Usd;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import java.util.function.Function;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a host that is paid with sandbox money before the tests of a class, hands each test its
 * payers, and closes everything after the last one.
 *
 * <p>Registered in a static field with {@code @RegisterExtension}; a test takes as many parameters
 * of the type {@link Payer} as it wants, each a new wallet. Nested classes share the host of the
 * outer one. Immutable and thread-safe.
 */
public final class PaidHost implements BeforeAllCallback, ParameterResolver {

  private static final Namespace OURS = Namespace.create(PaidHost.class);

  private final HostStart start;

  private PaidHost(HostStart start) {
    this.start = start;
  }

  /** A host that starts its own server, which is then what is tested. */
  public static PaidHost started(HostStart start) {
    return new PaidHost(start);
  }

  /**
   * An application on a server of the kit's.
   *
   * @param application made with the money of the test
   * @param implementation the servlet by which the host's JAX-RS implementation serves it
   */
  public static PaidHost serving(
      Function<TestGround, Application> application,
      Function<Application, Servlet> implementation) {
    return new PaidHost(
        ground -> {
          Servlet servlet = implementation.apply(application.apply(ground));
          return ground.closing(LoopbackServer.start(servlet)).base();
        });
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Payer.class;
  }

  @Override
  public Payer resolveParameter(ParameterContext parameter, ExtensionContext context) {
    String dollars = parameter.findAnnotation(Funded.class).map(Funded::value).orElse(Funded.USUAL);
    return running(context).payer(Usd.parse(dollars));
  }

  /** The store of the outermost class finds it for all within, and closes it. */
  private RunningHost running(ExtensionContext context) {
    return context
        .getStore(OURS)
        .getOrComputeIfAbsent(this, self -> RunningHost.of(start), RunningHost.class);
  }
}
