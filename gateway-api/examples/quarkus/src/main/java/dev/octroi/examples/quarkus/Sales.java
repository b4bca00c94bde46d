package dev.octroi.examples.quarkus;

import dev.octroi.db.Migrations;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.setup.Payments;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.Filter;
import javax.sql.DataSource;

/** Sells the tides for a cent, from when the database is there. */
@Startup
@ApplicationScoped
public class Sales {

  @Inject DataSource database;

  private Payments payments;
  private Filter filter;

  @PostConstruct
  void open() {
    Migrations.apply(database);
    payments = Payments.sandbox(database).build();
    filter = new PaymentServletFilter(payments, new PathPrices().paid("/tides/*", "0.01"));
  }

  Filter filter() {
    return filter;
  }

  @PreDestroy
  void close() {
    payments.close();
  }
}
