package dev.octroi.api;

import dev.octroi.api.discovery.ErrorPages;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.path.OwnPaths;
import dev.octroi.api.route.RouteService;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.servlet.ServletExchange;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves routes in a servlet container, before everything else of an application, and finds the
 * gateway's own paths where they lie below a prefix. Without it there are no routes. Thread-safe.
 */
public final class RouteFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;

  private final transient OwnPaths own;
  private final transient RouteService routes;
  private final transient ErrorPages errors;

  /** Serves the routes of a gateway; the host that built the gateway closes it. */
  public RouteFilter(Gateway gateway) {
    own = gateway.ownPaths();
    Mounting mounting = new Mounting(gateway, true);
    errors = mounting.errorPages();
    routes = new RouteService(gateway.routes(), mounting.routeRules(), gateway.payments());
  }

  /** Puts this filter before everything in an application. */
  public void register(ServletContext application) {
    ReadFilter.putFirst(application, "octroi-routes", this);
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String below = request.getRequestURI().substring(request.getContextPath().length());
    String path = below.isEmpty() ? "/" : below;
    if (own.prefix().isEmpty()) {
      boolean isOurs = !routes.holds(path) || (own.holds(path) && !path.equals("/"));
      if (isOurs || !routes.serve(request, response, path)) {
        chain.doFilter(request, response);
      }
    } else if (own.holds(path)) {
      chain.doFilter(new Moved(request, own.prefix().get()), response);
    } else if (!routes.serve(request, response, path)) {
      refuse(request, response);
    }
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpAnswer answer = HttpAnswer.json(NOT_FOUND, ErrorAnswer.flat(NOT_FOUND).body());
    try {
      answer = errors.page(new ServletExchange(request), answer);
    } catch (CallRefused noAddress) {
      answer = noAddress.answer();
    }
    RouteService.write(answer, response);
  }

  /** A request as if the application lay at the prefix. */
  private static final class Moved extends HttpServletRequestWrapper {

    private final String context;
    private final String below;

    Moved(HttpServletRequest request, String prefix) {
      super(request);
      this.context = request.getContextPath() + prefix;
      String rest = request.getRequestURI().substring(context.length());
      this.below = rest.isEmpty() ? "/" : rest;
    }

    @Override
    public String getContextPath() {
      return context;
    }

    @Override
    public String getServletPath() {
      return "";
    }

    @Override
    public String getPathInfo() {
      return Optional.ofNullable(super.getPathInfo())
          .map(
              info ->
                  info.length() >= below.length()
                      ? info.substring(info.length() - below.length())
                      : below)
          .orElse(below);
    }
  }
}
