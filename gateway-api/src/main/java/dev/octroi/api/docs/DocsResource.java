package dev.octroi.api.docs;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.docs.DocsResource.DocsGate.Documentation;
import dev.octroi.api.docs.DocsResource.SandboxGate.SandboxOnly;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageFiles;
import dev.octroi.api.limit.AddressRate;
import dev.octroi.api.openapi.ApiDocument;
import dev.octroi.api.openapi.ApiDocument.Edition;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The documentation page, its files, and in the sandbox the wallet that pays for calls tried on it.
 */
@Path("/docs")
@Documentation
public class DocsResource {

  private final DocsServices services;

  public DocsResource(@Context Providers providers) {
    services = DocsServices.of(providers);
  }

  record Challenge(@Nullable String challenge) {}

  @GET
  @Free
  @Described(value = "The documentation page", answerTypes = MediaType.TEXT_HTML)
  public Response page(@Context HttpHeaders headers) {
    return services.files().page(headers).build();
  }

  @GET
  @Path("{file: [A-Za-z][A-Za-z.-]*}")
  @Free
  @Described(
      value = "A file of the page",
      answerTypes = {"text/javascript", "text/css", "image/svg+xml", "text/plain"})
  public Response part(@PathParam("file") String name, @Context HttpHeaders headers) {
    return services
        .files()
        .file(name, headers)
        .map(Response.ResponseBuilder::build)
        .orElseThrow(() -> Refused.unknown("There is no such path."));
  }

  /** Signs a challenge with worthless money; not there where money is worth something. */
  @POST
  @Path("pay")
  @Free
  @SandboxOnly
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  @Described(
      value = "Pay with sandbox money",
      more = "For the gateway's own pages, on the machine itself and in the sandbox alone.")
  public Response pay(byte[] body) {
    SandboxPayer open =
        services.payer().orElseThrow(() -> Refused.unknown("There is no such path."));
    String header = HouseJson.read(body, Challenge.class).challenge();
    if (header == null) {
      throw Refused.invalid("The member 'challenge' is missing.");
    }
    try {
      return open.sign(PaymentRequired.read(header))
          .map(signed -> Response.ok(HouseJson.of(signed)))
          .orElseThrow(() -> Refused.invalid("The challenge is not this gateway's."))
          .header(HttpHeaders.CACHE_CONTROL, "no-store")
          .build();
    } catch (MalformedPayment e) {
      return ErrorAnswer.flat(400, "The challenge cannot be read.").response();
    }
  }

  /**
   * What the documentation's resources work with. Thread-safe.
   *
   * @param document the description
   * @param payer who pays for a visitor; empty where the money is worth something
   * @param guide what to do, step by step
   * @param files the documentation page and its files
   */
  public record DocsServices(
      ApiDocument document, Optional<SandboxPayer> payer, GuidePages guide, PageFiles files) {

    /** The resource classes, for {@code Application#getClasses}. */
    public static final List<Class<?>> RESOURCES =
        List.of(OpenApiResource.class, DocsResource.class, GuideResource.class);

    /**
     * What the page may do: nothing but with its own host, and no code or style within the page.
     */
    private static final String POLICY =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
            + " data:; font-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors"
            + " 'none'";

    private static final List<String> FILES =
        List.of(
            "docs.js",
            "docs.css",
            "icon.svg",
            "viewer/swagger-ui-bundle.js",
            "viewer/swagger-ui.css",
            "viewer/swagger-ui-bundle.js.LICENSE.txt");

    public DocsServices(ApiDocument document, Optional<SandboxPayer> payer, GuidePages guide) {
      this(document, payer, guide, new PageFiles(DocsResource.class, POLICY, "docs.html", FILES));
    }

    static DocsServices of(Providers providers) {
      return Mounted.of(providers, DocsServices.class);
    }
  }

  /** The description of everything that is served (OpenAPI 3.1). */
  @Path("/openapi.json")
  @Documentation
  public static class OpenApiResource {

    private final ApiDocument document;

    public OpenApiResource(@Context Providers providers) {
      document = DocsServices.of(providers).document();
    }

    @GET
    @Linking
    @Free
    @Produces(MediaType.APPLICATION_JSON)
    @Described("This description")
    public Response describe(
        @Context Request request, @HeaderParam(BaseAddress.HEADER) String base) {
      Edition edition = document.edition(base);
      EntityTag tag = new EntityTag(edition.tag());
      Response.ResponseBuilder known = request.evaluatePreconditions(tag);
      Response.ResponseBuilder response =
          known == null ? Response.ok(edition.bytes(), MediaType.APPLICATION_JSON_TYPE) : known;
      return response.tag(tag).header(HttpHeaders.CACHE_CONTROL, "no-cache").build();
    }
  }

  /** The guide: what to do, step by step, and what to look up. */
  @Path("/docs/guide")
  @Documentation
  public static class GuideResource {

    private final GuidePages pages;

    public GuideResource(@Context Providers providers) {
      pages = DocsServices.of(providers).guide();
    }

    @GET
    @Free
    @Described(value = "The guide", answerTypes = MediaType.TEXT_HTML)
    public Response index() {
      return page("");
    }

    @GET
    @Path("{page: [a-z-]*}")
    @Free
    @Described(value = "A page of the guide", answerTypes = MediaType.TEXT_HTML)
    public Response page(@PathParam("page") String word) {
      byte[] page =
          pages
              .page(word)
              .orElseThrow(() -> Refused.unknown("There is no such page of the guide."));
      return Response.ok(page, MediaType.TEXT_HTML_TYPE.withCharset("utf-8"))
          .header("Content-Security-Policy", pages.policy())
          .header("Referrer-Policy", "no-referrer")
          .header(HttpHeaders.CACHE_CONTROL, "no-cache")
          .build();
    }
  }

  /**
   * Pays for the calls that a visitor tries on the gateway's pages, with worthless money: a wallet
   * that is made when it is first needed and forgotten with the process. Thread-safe.
   */
  public static final class SandboxPayer {

    private final String payTo;
    private final Clock clock;
    private Optional<PaymentSigner> signer = Optional.empty();

    /**
     * @param payTo the only address that it pays
     */
    public SandboxPayer(String payTo, Clock clock) {
      this.payTo = payTo;
      this.clock = clock;
    }

    /** A payment. */
    record Signed(String payment, String payer, String amount) {}

    /** Signs what this gateway asks for; empty for another server's challenge. */
    Optional<Signed> sign(PaymentRequired challenge) {
      PaymentSigner one = signer();
      return challenge.accepts().stream()
          .filter(offer -> offer.payTo().equalsIgnoreCase(payTo) && one.signs(offer))
          .findFirst()
          .map(offer -> signed(one, challenge, offer));
    }

    private static Signed signed(
        PaymentSigner signer, PaymentRequired challenge, PaymentRequirements offer) {
      return new Signed(signer.sign(challenge, offer), signer.account(), offer.amount());
    }

    private synchronized PaymentSigner signer() {
      PaymentSigner known = signer.orElseGet(() -> new PaymentSigner(Wallet.generate(), clock));
      signer = Optional.of(known);
      return known;
    }
  }

  /**
   * Lets only pages of this very gateway at the sandbox's wallet (the documentation and the
   * paywall), in a browser on this very machine. The name that the browser called must be a
   * loopback one, or another site could have its own name point here (DNS rebinding).
   */
  @SandboxOnly
  public static final class SandboxGate implements ContainerRequestFilter {

    private final boolean sandbox;

    public SandboxGate(boolean sandbox) {
      this.sandbox = sandbox;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      if (!sandbox) {
        request.abortWith(ErrorAnswer.flat(404, "There is no such path.").response());
      } else if (!isHere(request) || !isOwnPage(request)) {
        request.abortWith(
            ErrorAnswer.flat(403, "Only pages of this gateway, on this machine, may ask for this.")
                .response());
      }
    }

    private boolean isHere(ContainerRequestContext request) {
      return ClientAddress.of(JaxrsExchange.of(request)).isPresent()
          && OwnHosts.isLoopback(ClientAddress.readable(JaxrsExchange.of(request)));
    }

    private boolean isOwnPage(ContainerRequestContext request) {
      String origin = request.getHeaderString("Origin");
      String host = request.getHeaderString("Host");
      Optional<URI> page = Optional.ofNullable(origin).flatMap(SandboxGate::uri);
      return host != null
          && page.filter(one -> host.equals(one.getAuthority())).isPresent()
          && page.map(URI::getHost).filter(OwnHosts::isLoopback).isPresent();
    }

    private static Optional<URI> uri(String text) {
      try {
        return Optional.of(URI.create(text));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    /** Puts {@link SandboxGate} before a method. */
    @NameBinding
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @interface SandboxOnly {}
  }

  /**
   * Answers 404 where the documentation is switched off; else lets each address read it as often as
   * it may make unpaid calls: nothing here is paid for.
   */
  @Documentation
  public static final class DocsGate implements ContainerRequestFilter {

    private final boolean enabled;
    private final AddressRate rate;

    /**
     * @param perMinute requests of each client address
     */
    public DocsGate(boolean enabled, int perMinute, Clock clock) {
      this.enabled = enabled;
      this.rate = new AddressRate(perMinute, clock);
    }

    @Override
    public void filter(ContainerRequestContext request) {
      if (!enabled) {
        request.abortWith(ErrorAnswer.flat(404, "There is no such path.").response());
        return;
      }
      Optional<Duration> wait = ClientAddress.of(JaxrsExchange.of(request)).flatMap(rate::count);
      wait.ifPresent(
          time ->
              request.abortWith(
                  ErrorAnswer.flat(429, "Too many requests from this address.")
                      .retryAfter(time)
                      .response()));
    }

    /** Puts {@link DocsGate} before a resource. */
    @NameBinding
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @interface Documentation {}
  }
}
