package dev.octroi.api.discovery;

import dev.octroi.api.group.Addressed;
import dev.octroi.api.http.AcceptHtml;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.flow.ResourceUrl;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;

/**
 * Makes pages of the statuses 404 and 405 for a caller that prefers pages, which is a browser. The
 * status stays; what the page says is written here, whatever the error's own text is.
 */
public final class ErrorPages implements ContainerResponseFilter {

  private static final MediaType HTML = MediaType.TEXT_HTML_TYPE.withCharset("utf-8");

  private static final Map<Integer, String> TITLES =
      Map.of(404, "There is nothing at this address", 405, "This address takes another method");

  private static final Map<Integer, String> SENTENCES =
      Map.of(
          404,
          "The address may be misspelt, or this gateway does not sell that. Nothing was charged.",
          405,
          "A browser opens addresses with GET. A program calls this one with another method, such as"
              + " POST. Nothing was charged.");

  private final PageTemplate page = PageTemplate.of("error.html");
  private final String serviceName;
  private final ResourceUrl addresses;
  private final String ownPrefix;

  /**
   * @param serviceName whose pages they are
   * @param addresses tells the address of the application
   * @param ownPrefix below which the gateway's own paths lie for what no filter of JAX-RS sees
   */
  public ErrorPages(String serviceName, ResourceUrl addresses, String ownPrefix) {
    this.serviceName = serviceName;
    this.addresses = addresses;
    this.ownPrefix = ownPrefix;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request)
        && TITLES.containsKey(response.getStatus())
        && response.hasEntity()
        && AcceptHtml.isPreferred(
            String.join(",", request.getHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of())))) {
      String base = addresses.base(JaxrsExchange.of(request));
      response.setEntity(of(response.getStatus(), base), new Annotation[0], HTML);
      headers().forEach((name, value) -> response.getHeaders().putSingle(name, value));
      response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    }
  }

  /** The same of an answer that no filter of JAX-RS sees; the answer itself where it is none. */
  public HttpAnswer page(Exchange request, HttpAnswer answer) {
    if (!TITLES.containsKey(answer.status())
        || !AcceptHtml.isPreferred(request.header(HttpHeaders.ACCEPT))) {
      return answer;
    }
    byte[] html = of(answer.status(), addresses.base(request) + ownPrefix);
    return new HttpAnswer(answer.status(), answer.headers(), html)
        .with(headers())
        .with(
            Map.of(
                HttpHeaders.CONTENT_TYPE, HTML.toString(), HttpHeaders.VARY, HttpHeaders.ACCEPT));
  }

  private Map<String, String> headers() {
    return Map.of("Content-Security-Policy", page.policy(), "Referrer-Policy", "no-referrer");
  }

  private byte[] of(int status, String base) {
    return page.filled(
        Map.of(
            "service",
            PageTemplate.escaped(serviceName),
            "status",
            Integer.toString(status),
            "title",
            String.valueOf(TITLES.get(status)),
            "sentence",
            String.valueOf(SENTENCES.get(status)),
            "base",
            PageTemplate.escaped(base)));
  }
}
