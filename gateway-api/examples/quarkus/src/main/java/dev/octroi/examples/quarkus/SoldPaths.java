package dev.octroi.examples.quarkus;

import jakarta.inject.Inject;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import java.io.IOException;

/** Stands before RESTEasy and everything else; Quarkus makes filters before there is a database. */
@WebFilter(
    urlPatterns = "/*",
    asyncSupported = true,
    dispatcherTypes = {
      DispatcherType.REQUEST,
      DispatcherType.ASYNC,
      DispatcherType.FORWARD,
      DispatcherType.INCLUDE,
      DispatcherType.ERROR
    })
public class SoldPaths implements Filter {

  @Inject Sales sales;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    sales.filter().doFilter(request, response, chain);
  }
}
