package dev.octroi.examples.boot;

import dev.octroi.db.Migrations;
import dev.octroi.db.OwnSchema;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import dev.octroi.payments.setup.Payments;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Sells the weather for a cent: a controller that knows nothing of that. */
@SpringBootApplication
@RestController
public class Weather {

  @GetMapping("/weather/{city}")
  public Map<String, Object> weather(@PathVariable("city") String city) {
    return Map.of("city", city, "degrees", 21);
  }

  @Bean
  Payments payments(DataSource database) {
    DataSource own = OwnSchema.of(database, "octroi");
    Migrations.apply(own);
    return Payments.sandbox(own).build();
  }

  @Bean
  ServletContextInitializer sold(Payments payments) {
    return new PaymentServletFilter(payments, new PathPrices().paid("/weather/*", "0.01"))
        ::register;
  }

  public static void main(String[] args) {
    SpringApplication.run(Weather.class, args);
  }
}
