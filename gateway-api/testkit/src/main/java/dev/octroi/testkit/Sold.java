package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a check looks at: the answer to an endpoint's example, and further calls of the same
 * endpoint.
 */
record Sold(Deployment deployment, Endpoint endpoint, JsonNode answer) {

  static Sold of(Deployment deployment, Endpoint endpoint) {
    Reply reply = deployment.buy(deployment.examples().of(endpoint));
    return new Sold(deployment, endpoint, reply.json());
  }

  ObjectNode arguments() {
    return endpoint.sample().example().deepCopy();
  }

  /** The answer with one argument replaced. */
  JsonNode again(String argument, JsonNode value) {
    return deployment.buy(deployment.examples().with(endpoint, argument, value)).json();
  }

  JsonNode again(ObjectNode arguments) {
    return deployment.buy(deployment.examples().with(endpoint, arguments)).json();
  }

  /** The refusal of another argument, which is shown to be free: its payment buys the example. */
  Reply askedFreely(String argument, JsonNode value) {
    Call example = deployment.examples().of(endpoint);
    String payment = deployment.openPayment(example);
    Reply refusal = deployment.send(deployment.examples().with(endpoint, argument, value), payment);
    Reply bought = deployment.send(example, payment);
    assertThat(bought.status()).as(bought.toString()).isEqualTo(200);
    return refusal;
  }
}
