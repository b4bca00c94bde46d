package dev.octroi.testkit;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The whole kit: a deployment inherits it and says where it serves. What the deployment must be
 * started with stands in the module's README.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class GatewayBehaviour {

  private @Nullable Deployment deployment;

  /** The address below which {@code /v1} lies; asked for once, when the first test runs. */
  protected abstract URI baseUrl();

  /**
   * Whether an answer to a broken escape is the server's own empty one, which the gateway never
   * saw: not every server refuses what it fails on.
   *
   * @param answer head and body as they came
   */
  protected boolean isServersOwnFailure(String answer) {
    return false;
  }

  private synchronized Deployment deployment() {
    if (deployment == null) {
      deployment = new Deployment(baseUrl());
    }
    return deployment;
  }

  @Nested
  class Reads extends ReadsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Parameters extends ParametersBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class PaymentChecks extends PaymentsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class OnePayment extends OnePaymentBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Errors extends ErrorsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class WebSearch extends WebSearchBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class SmartSearch extends SmartSearchBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Music extends MusicBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Phone extends PhoneBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Voice extends VoiceBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Questions extends QuestionsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Images extends ImagesBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Agents extends AgentsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Paths extends PathsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }

    @Override
    boolean isServersOwnFailure(String answer) {
      return GatewayBehaviour.this.isServersOwnFailure(answer);
    }
  }

  @Nested
  class BrokenUploads extends BrokenUploadsBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }

  @Nested
  class Http extends HttpBehaviour {
    @Override
    Deployment deployment() {
      return GatewayBehaviour.this.deployment();
    }
  }
}
