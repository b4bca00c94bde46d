package dev.octroi.reference;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import org.glassfish.jersey.internal.inject.AbstractBinder;

/**
 * Makes each resource once and not for every call: the gateway's take what belongs to a call as
 * parameters of their methods.
 */
final class Once extends AbstractBinder {

  private final Application application;

  Once(Application application) {
    this.application = application;
  }

  @Override
  protected void configure() {
    application.getClasses().stream()
        .filter(type -> type.isAnnotationPresent(Path.class))
        .forEach(type -> bindAsContract(type).in(Singleton.class));
  }
}
