package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.jaxrs.PaymentsFeature.ReceivedTarget;
import java.net.URI;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;

/** Requests as a container makes them, without the container. */
public final class TestRequest {

  private static final URI BASE = URI.create("http://10.0.0.7:8402/shop/api/");

  private TestRequest() {}

  /** The same as payments see it. */
  public static Exchange get(String address, String... headers) {
    return JaxrsExchange.of(request(address, headers));
  }

  /** What payments see of a request that has just come in. */
  public static Exchange received(ContainerRequest request) {
    new ReceivedTarget().filter(request);
    return JaxrsExchange.of(request);
  }

  /** A GET of an address below the application, headers as name, value, name, value. */
  public static ContainerRequest request(String address, String... headers) {
    ContainerRequest request =
        new ContainerRequest(
            BASE,
            URI.create(BASE + address.substring(1)),
            "GET",
            null,
            new MapPropertiesDelegate(),
            null);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request;
  }
}
