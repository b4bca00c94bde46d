package dev.octroi.api.discovery;

import dev.octroi.api.group.Addressed;
import dev.octroi.api.http.AcceptHtml;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;

/**
 * Makes a page of the body of a challenge for a caller that prefers pages, which is a browser. The
 * headers stay, so that the page can be paid for like any challenge; every other caller gets JSON.
 */
public final class Paywall implements ContainerResponseFilter {

  private static final MediaType HTML = MediaType.TEXT_HTML_TYPE.withCharset("utf-8");

  private final PaywallPage page;
  private final ResourceUrl addresses;
  private final String ownPrefix;

  /**
   * Sets it up.
   *
   * @param serviceName whose page it is
   * @param sandbox whether the money is worthless
   * @param addresses tells the address of the application
   * @param ownPrefix below which the gateway's own paths lie for what no filter of JAX-RS sees
   */
  public Paywall(String serviceName, boolean sandbox, ResourceUrl addresses, String ownPrefix) {
    this.page = new PaywallPage(serviceName, sandbox);
    this.addresses = addresses;
    this.ownPrefix = ownPrefix;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request)
        && response.getStatus() == 402
        && response.getHeaders().containsKey(PaymentHeaders.PAYMENT_REQUIRED)
        && response.getEntity() instanceof byte[] challenge
        && AcceptHtml.isPreferred(accepted(request))) {
      String base = addresses.base(JaxrsExchange.of(request));
      response.setEntity(page.of(request.getMethod(), base, challenge), new Annotation[0], HTML);
      response.getHeaders().putSingle("Content-Security-Policy", page.policy());
      response.getHeaders().putSingle("Referrer-Policy", "no-referrer");
      response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    }
  }

  /** The same of an answer that no filter of JAX-RS sees; the answer itself where it is none. */
  public HttpAnswer page(Exchange request, HttpAnswer answer) {
    if (answer.status() != 402
        || !answer.headers().containsKey(PaymentHeaders.PAYMENT_REQUIRED)
        || !AcceptHtml.isPreferred(request.header(HttpHeaders.ACCEPT))) {
      return answer;
    }
    byte[] html = page.of(request.method(), addresses.base(request) + ownPrefix, answer.body());
    return new HttpAnswer(answer.status(), answer.headers(), html)
        .with(
            Map.of(
                HttpHeaders.CONTENT_TYPE,
                HTML.toString(),
                "Content-Security-Policy",
                page.policy(),
                "Referrer-Policy",
                "no-referrer",
                HttpHeaders.VARY,
                HttpHeaders.ACCEPT));
  }

  private static String accepted(ContainerRequestContext request) {
    return String.join(",", request.getHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of()));
  }
}
