package dev.octroi.examples.boot;

import dev.octroi.db.Migrations;
import dev.octroi.payments.Paid;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.Map;
import javax.sql.DataSource;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Sells a forecast for a cent. */
@SpringBootApplication
@Path("/forecast/{city}")
public class Forecast {

  @GET
  @Paid("0.01")
  @Produces("application/json")
  public Map<String, Object> forecast(@PathParam("city") String city) {
    return Map.of("city", city, "tomorrow", "sun");
  }

  @Bean
  Payments payments(DataSource database) {
    Migrations.apply(database);
    return Payments.sandbox(database).build();
  }

  @Bean
  ResourceConfig resources(Payments payments) {
    return new ResourceConfig(Forecast.class).register(new PaymentsFeature(payments));
  }

  public static void main(String[] args) {
    SpringApplication.run(Forecast.class, args);
  }
}
