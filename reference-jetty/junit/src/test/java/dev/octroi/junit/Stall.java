package dev.octroi.junit;

import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** An application that sells a few words. */
final class Stall extends Application {

  private final Payments payments;

  Stall(Payments payments) {
    this.payments = payments;
  }

  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return Set.of(new Words(), new PaymentsFeature(payments));
  }

  /** What is sold. */
  @Path("/")
  public static final class Words {

    @GET
    @Path("word")
    @Paid("0.01")
    public String word() {
      return "a wörd";
    }

    @POST
    @Path("echo")
    @Paid("0.02")
    public String echo(String json) {
      return json;
    }

    @GET
    @Path("lost")
    @Paid("0.03")
    public String lost() {
      throw new NotFoundException();
    }

    @GET
    @Path("greeting")
    @Free
    public String greeting() {
      return "hello";
    }
  }
}
