package dev.octroi.api;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.discovery.ErrorPages;
import dev.octroi.api.discovery.Paywall;
import dev.octroi.api.docs.DocsResource.DocsGate;
import dev.octroi.api.docs.DocsResource.SandboxGate;
import dev.octroi.api.error.ErrorMapper;
import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.facilitator.FacilitatorGate;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.BodyRules;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.Compression;
import dev.octroi.api.http.Cors;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.http.SandboxPages;
import dev.octroi.api.http.StandardHeaders;
import dev.octroi.api.http.TrustedProxies;
import dev.octroi.api.http.TrustedProxies.KnownAddresses;
import dev.octroi.api.limit.CountedCalls;
import dev.octroi.api.mcp.SelfAddress;
import dev.octroi.api.metrics.MetricsResource.MetricsGate;
import dev.octroi.api.observe.ObservingFilter;
import dev.octroi.api.operator.ActionRecorder;
import dev.octroi.api.operator.OperatorGate;
import dev.octroi.api.path.MalformedTargets;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.path.PathRules;
import dev.octroi.api.path.SoldPaths;
import dev.octroi.api.route.RouteService;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.GatewaySettings.DiscoverySettings;
import dev.octroi.api.setup.SandboxSafety;
import dev.octroi.api.wallet.OwnerGate;
import dev.octroi.api.wallet.OwnerGate.CallerGate;
import dev.octroi.api.wallet.OwnerGate.WalletGate;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.Optional;

/**
 * The providers of a gateway in one application, in the order in which they must run.
 *
 * @param alone whether the whole application is the gateway's
 */
record Mounting(Gateway gateway, boolean alone) {

  private static final int FIRST = 100;
  private static final int BEFORE_PAYMENT = Priorities.AUTHENTICATION - 100;

  void register(FeatureContext context) {
    GatewaySettings settings = gateway.settings();
    context.register(new Mounted(gateway.services()));
    ResourceUrl addresses = gateway.payments().addresses();
    context.register(pathRules(), FIRST);
    if (hasServlets()) {
      context.register(clientAddress(), FIRST + 1);
    }
    context.register(new ObservingFilter(gateway.operations().watching().observation()), FIRST + 2);
    context.register(
        new ObservingFilter.Answered(
            gateway.operations().watching().observation(), gateway.prices()));
    context.register(new ObservingFilter.Written(gateway.operations().watching().observation()));
    OperatorGate operators = new OperatorGate(settings.admin().token(), gateway.operator());
    context.register(operators, Priorities.AUTHENTICATION);
    context.register(new ActionRecorder(gateway.operator()), Priorities.AUTHENTICATION + 1);
    context.register(
        new MetricsGate(
            new KnownAddresses(settings.metrics().readers()),
            new PageRule(new OwnHosts(settings.http()), List.of()),
            operators),
        Priorities.AUTHENTICATION);
    context.register(new BaseAddress(addresses), BEFORE_PAYMENT - 1);
    OwnerGate owners = new OwnerGate(gateway.owners());
    context.register(owners, Priorities.AUTHENTICATION);
    context.register(new CallerGate(owners, gateway.owners()), Priorities.AUTHENTICATION);
    context.register(new WalletGate(owners, gateway.owners()), Priorities.AUTHENTICATION);
    context.register(
        new FacilitatorGate(settings.facilitator(), gateway.operator().clock()),
        Priorities.AUTHENTICATION);
    sandboxPages().ifPresent(pages -> context.register(pages, FIRST + 3));
    context.register(cors(), FIRST + 4);
    context.register(new SoldPaths(gateway.groups()), FIRST + 5);
    context.register(
        new DocsGate(
            settings.docs().enabled(),
            settings.limits().unpaidPerMinute(),
            gateway.operator().clock()),
        BEFORE_PAYMENT - 1);
    context.register(new SandboxGate(gateway.docs().payer().isPresent()), BEFORE_PAYMENT);
    context.register(
        new BodyRules(
            gateway.payments().bodies(),
            gateway.owners().admission(),
            settings.limits().jsonBody().bytes(),
            gateway.groups().limits().stream()
                .flatMap(limits -> limits.bodies().stream())
                .toList()),
        BEFORE_PAYMENT);
    context.register(new SelfAddress(settings.mcp().selfAddress()), BEFORE_PAYMENT - 1);
    context.register(new CountedCalls(gateway.owners().admission()), Priorities.AUTHENTICATION);
    context.register(new ErrorMapper());
    context.register(new ErrorMapper.FailureMapper());
    context.register(new ErrorMapper.LedgerMapper());
    context.register(new MalformedTargets(), Priorities.USER + 1);
    context.register(new ErrorShapes(), Priorities.USER);
    context.register(errorPages(), Priorities.USER - 1);
    paywall().ifPresent(paywall -> context.register(paywall, Priorities.USER + 1));
    context.register(standardHeaders());
    compression().ifPresent(context::register);
    context.register(new PaymentsFeature(gateway.payments()));
  }

  PathRules pathRules() {
    GatewaySettings settings = gateway.settings();
    return new PathRules(
        new PathAliases(gateway.groups().groups(), settings.aliases(), settings.venues()), alone);
  }

  ClientAddress clientAddress() {
    return new ClientAddress(
        new TrustedProxies(gateway.settings().http().trustedProxies()), gateway.innerCalls());
  }

  private Optional<PageRule> pages() {
    GatewaySettings settings = gateway.settings();
    return SandboxSafety.isLocal(settings)
        ? Optional.of(
            new PageRule(new OwnHosts(settings.http()), settings.sandbox().allowedOrigins()))
        : Optional.empty();
  }

  Optional<SandboxPages> sandboxPages() {
    return pages()
        .map(rule -> new SandboxPages(rule, gateway.payments().addresses(), gateway.innerCalls()));
  }

  Cors cors() {
    return new Cors(gateway.settings().cors(), pages());
  }

  StandardHeaders standardHeaders() {
    return new StandardHeaders(
        gateway.isSandbox(), path -> gateway.prices().sold("GET", path).isPresent());
  }

  ErrorPages errorPages() {
    return new ErrorPages(
        gateway.settings().discovery().serviceName(),
        gateway.payments().addresses(),
        gateway.settings().http().ownPrefix().orElse(""));
  }

  Optional<Paywall> paywall() {
    DiscoverySettings discovery = gateway.settings().discovery();
    return discovery.paywall()
        ? Optional.of(
            new Paywall(
                discovery.serviceName(),
                gateway.isSandbox(),
                gateway.payments().addresses(),
                gateway.settings().http().ownPrefix().orElse("")))
        : Optional.empty();
  }

  /** What holds for routes as for everything else. */
  RouteService.Rules routeRules() {
    return new RouteService.Rules(
        clientAddress(),
        sandboxPages(),
        cors(),
        standardHeaders(),
        paywall(),
        errorPages(),
        gateway.operations().watching().observation(),
        gateway.owners().admission());
  }

  Optional<Compression> compression() {
    return gateway.settings().http().gzip()
        ? Optional.of(new Compression(gateway.settings().http().gzipFrom().length()))
        : Optional.empty();
  }

  /** Plain HTTP containers have no servlet API, and a class that names it could not be loaded. */
  private static boolean hasServlets() {
    try {
      Class.forName(
          "jakarta.servlet.http.HttpServletRequest", false, Mounting.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
