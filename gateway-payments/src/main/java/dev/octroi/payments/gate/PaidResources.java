package dev.octroi.payments.gate;

import dev.octroi.payments.Payments;
import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.ledger.Purchase;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The gate around the paid methods of an application; the only way into this package. */
public final class PaidResources implements AutoCloseable {

  private final GateSettings settings;
  private final Settler settler;
  private final BodyBuffer bodies;
  private final PaymentGate gate;
  private final AnswerGate answers;
  private final OpenCalls openCalls;
  private final Optional<WalletPayments> wallets;

  public PaidResources(GateSettings settings) {
    this.settings = settings;
    this.settler =
        new Settler(
            settings.ledger(),
            settings.facilitators(),
            settings.netting().isPresent(),
            new Steps(settings.observer()));
    Refusals refusals =
        new Refusals(settings.challenges(), settings.urls(), settings.descriptions());
    this.openCalls = new OpenCalls(settings.clock(), settler);
    Receipts receipts =
        new Receipts(settings.protocol().receipts(), settings.urls(), settings.clock());
    Replays replays = new Replays(settings.ledger(), settings.protocol().identifiers(), receipts);
    Trust trust = new Trust(settler, settings.unsettledPerPayer());
    this.wallets =
        settings
            .callers()
            .accounts()
            .map(accounts -> new PaymentSources(accounts, settings.offers()))
            .map(sources -> new WalletPayments(sources, settler, trust));
    this.bodies = settings.limits().bodies();
    this.gate = new PaymentGate(settings, bodies, settler, refusals, openCalls, replays, wallets);
    this.answers = new AnswerGate(settings, settler, refusals, openCalls, receipts);
  }

  /**
   * Registers the gate's providers with an application.
   *
   * @throws PaymentsMisconfigured if the annotations of its resources are wrong
   */
  public void register(FeatureContext context) {
    PriceTable prices = new PriceTable(settings.tariffs());
    DeploymentCheck check = new DeploymentCheck(prices, settings.strict());
    requireSound(context.getConfiguration(), check);
    context.register(new ReceivedTarget());
    context.register(new ReceivedMethod());
    context.register(new PaidMethods(gate, prices, check));
    context.register(new AnswerFilter(answers, prices));
    context.register(new DeliveryInterceptor(openCalls));
  }

  /** What is known of the resources at this point is judged at once, the rest class by class. */
  private static void requireSound(Configuration application, DeploymentCheck check) {
    List<String> problems =
        Stream.concat(
                application.getClasses().stream(),
                application.getInstances().stream().map(Object::getClass))
            .filter(type -> type.isAnnotationPresent(Path.class))
            .distinct()
            .flatMap(type -> check.problems(type).stream())
            .sorted()
            .toList();
    if (!problems.isEmpty()) {
      throw new PaymentsMisconfigured(problems);
    }
  }

  /** A payment as its payer may see it; see {@link Payments#purchase}. */
  public Optional<Purchase> purchase(String id, MultivaluedMap<String, String> headers) {
    return new Buyers(settings.ledger()).purchase(id, headers);
  }

  /** Charges accounts without a call; see {@link Payments#charges}. */
  public Optional<AccountCharges> charges() {
    return wallets.map(
        paying ->
            new AccountChargeService(
                paying.sources().accounts(),
                paying,
                settler,
                settings.callers(),
                settings.clock()));
  }

  /** What takes in request bodies. */
  public BodyBuffer bodies() {
    return bodies;
  }

  /** How many paid calls are in flight, up to the last byte of their answers. */
  public int callsInFlight() {
    return openCalls.size();
  }

  /** Stops the sweeper; calls in flight end as they would. */
  @Override
  public void close() {
    openCalls.close();
  }
}
