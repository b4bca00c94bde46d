package dev.octroi.payments.jaxrs;

import dev.octroi.payments.flow.PaidEndpoint;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/**
 * A row of the price table: a resource method and what it costs.
 *
 * @param produces the media types that the method declares, in its order; empty where it does not
 */
record PricedMethod(PaidEndpoint endpoint, List<MediaType> produces) {}
