package dev.octroi.api.docs;

import dev.octroi.api.docs.DocsGate.Documentation;
import dev.octroi.api.docs.SandboxGate.SandboxOnly;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.openapi.ApiDocument;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentAnswers;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The documentation page, its files, and in the sandbox the wallet that pays for calls tried on it.
 */
@Path("/docs")
@Documentation
public class DocsResource {

  /** What the page may do: nothing but with its own host, and no code or style within the page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; font-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors"
          + " 'none'";

  private final Optional<SandboxPayer> payer;

  public DocsResource(@Context Providers providers) {
    payer = DocsServices.of(providers).payer();
  }

  record Challenge(@Nullable String challenge) {}

  @GET
  @Free
  @Described(value = "The documentation page", answerTypes = MediaType.TEXT_HTML)
  public Response page(@Context Request request) {
    return file(PageFile.PAGE, request);
  }

  @GET
  @Path("{file: [A-Za-z][A-Za-z.-]*}")
  @Free
  @Described(
      value = "A file of the page",
      answerTypes = {"text/javascript", "text/css", "image/svg+xml", "text/plain"})
  public Response part(@PathParam("file") String name, @Context Request request) {
    return PageFile.named(name)
        .map(file -> file(file, request))
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
    SandboxPayer open = payer.orElseThrow(() -> Refused.unknown("There is no such path."));
    String header = HouseJson.read(body, Challenge.class).challenge();
    if (header == null) {
      throw Refused.invalid("The member 'challenge' is missing.");
    }
    try {
      return open.sign(PaymentAnswers.readChallenge(header))
          .map(signed -> Response.ok(HouseJson.of(signed)))
          .orElseThrow(() -> Refused.invalid("The challenge is not this gateway's."))
          .header(HttpHeaders.CACHE_CONTROL, "no-store")
          .build();
    } catch (MalformedPayment e) {
      return ErrorAnswer.flat(400, "The challenge cannot be read.").response();
    }
  }

  private static Response file(PageFile file, Request request) {
    EntityTag tag = new EntityTag(file.tag());
    Response.ResponseBuilder known = request.evaluatePreconditions(tag);
    Response.ResponseBuilder response =
        known == null ? Response.ok(file.bytes(), file.type()) : known;
    return response
        .tag(tag)
        .header(HttpHeaders.CACHE_CONTROL, "no-cache")
        .header("Content-Security-Policy", POLICY)
        .header("Referrer-Policy", "no-referrer")
        .header("X-Content-Type-Options", "nosniff")
        .build();
  }

  /** The files of the documentation page; read when they are first asked for, and kept. */
  private enum PageFile {
    PAGE("docs.html", "text/html;charset=utf-8"),
    SCRIPT("docs.js", "text/javascript;charset=utf-8"),
    STYLE("docs.css", "text/css;charset=utf-8"),
    ICON("icon.svg", "image/svg+xml"),
    VIEWER("viewer/swagger-ui-bundle.js", "text/javascript;charset=utf-8"),
    VIEWER_STYLE("viewer/swagger-ui.css", "text/css;charset=utf-8"),
    VIEWER_LICENCES("viewer/swagger-ui-bundle.js.LICENSE.txt", "text/plain;charset=utf-8");

    private static final int TAG_BYTES = 16;

    private final String resource;
    private final String type;

    PageFile(String resource, String type) {
      this.resource = resource;
      this.type = type;
    }

    /** The file of that name, unless it is a page. */
    static Optional<PageFile> named(String name) {
      return Arrays.stream(values())
          .filter(file -> !file.resource.endsWith(".html"))
          .filter(file -> file.resource.substring(file.resource.lastIndexOf('/') + 1).equals(name))
          .findFirst();
    }

    String type() {
      return type;
    }

    byte[] bytes() {
      try (InputStream in = PageFile.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IllegalStateException("the jar has no " + resource);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A strong entity tag, without quotes. */
    String tag() {
      try {
        byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes());
        return HexFormat.of().formatHex(whole, 0, TAG_BYTES);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  /**
   * What the documentation's resources work with. Thread-safe.
   *
   * @param document the description
   * @param payer who pays for a visitor; empty where the money is worth something
   * @param guide what to do, step by step
   */
  public record DocsServices(ApiDocument document, Optional<SandboxPayer> payer, GuidePages guide) {

    /** The resource classes, for {@code Application#getClasses}. */
    public static final List<Class<?>> RESOURCES =
        List.of(OpenApiResource.class, DocsResource.class, GuideResource.class);

    static DocsServices of(Providers providers) {
      return Mounted.of(providers, DocsServices.class);
    }
  }
}
