package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.cryptodata.CryptoDataGroup;
import dev.octroi.api.docs.HomeResource;
import dev.octroi.api.prediction.PredictionGroup;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.client.PaidAnswer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gateway as a guest: beside a host's own resources. */
class MountingTest {

  private static Gateway built;
  private static GatewayHost host;

  /** As a host writes it: the gateway comes from where the host keeps it. */
  public static final class MyGateway extends GatewayFeature {
    @Override
    protected Gateway gateway() {
      return built;
    }
  }

  /** A host's own resource, which knows nothing of payments. */
  @Path("/shop")
  public static final class MyResource {
    @GET
    @Path("items/{id}")
    public String item(@PathParam("id") String id) {
      return "item " + id;
    }

    @GET
    @Path("broken")
    public String broken() {
      throw new IllegalStateException("the host's secret");
    }

    @GET
    @Path("sold")
    @Paid("0.02")
    public String sold() {
      return "sold";
    }
  }

  private static final class MyApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
      return Gateway.resourcesAnd(MyGateway.class, MyResource.class);
    }
  }

  /** What many hosts have: anything unforeseen is an answer of theirs. */
  public static final class MyMapper implements ExceptionMapper<RuntimeException> {
    @Override
    public Response toResponse(RuntimeException thrown) {
      return Response.ok("the host's own words").build();
    }
  }

  private static final class MappingApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
      return Gateway.resourcesAnd(MyGateway.class, MyResource.class, MyMapper.class);
    }
  }

  @BeforeAll
  static void start() {
    host =
        new GatewayHost(
            Map.of(),
            gateway -> {
              built = gateway;
              return new MyApplication();
            });
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @Test
  void theGatewayServesItsReads() {
    assertThat(host.http().get("/v1/prediction/markets").statusCode()).isEqualTo(402);
    assertThat(host.paid("/v1/prediction/venue-a/events").status()).isEqualTo(200);
  }

  @Test
  void theHostsResourcesAreLeftAlone() {
    HttpResponse<String> answer = host.http().get("/shop/items/a;v=1%2Fb");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().map())
        .doesNotContainKeys("x-sandbox", "access-control-allow-origin", "x-request-id");
  }

  @Test
  void theHostsOwnMethodsCanBePaidToo() {
    assertThat(host.http().get("/shop/sold").body()).contains("\"amount\":\"20000\"");
    assertThat(GatewayHost.text(host.paid("/shop/sold"))).isEqualTo("sold");
  }

  @Test
  @Tag("spec:error.status.500")
  void anUnforeseenErrorIsAnIncidentNumberAndNothingElse() {
    HttpResponse<String> answer = host.http().get("/shop/broken");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).matches("\\{\"error\":\"[^\"]*\\([0-9a-f]{16}\\)\\.\"}");
  }

  /** A sold read that fails is not charged and has its shape, whatever a host maps. */
  @Test
  @Tag("spec:money.7")
  void aHostsMapperIsNotAskedAboutWhatTheGatewayCouldNotDeliver() {
    Gateway others = built;
    try (GatewayHost mapping =
        new GatewayHost(
            Map.of(),
            gateway -> {
              built = gateway;
              return new MappingApplication();
            })) {
      mapping.vendor().says("/market/etf", 500, "{}");
      PaidAnswer failed = mapping.paid("/v1/marketplace/cryptodata/market/etf");
      PaidAnswer wrong = mapping.paid("/v1/marketplace/cryptodata/exchange/price?pair=!!");

      assertThat(failed.status()).isEqualTo(502);
      assertThat(GatewayHost.text(failed)).contains("\"code\":\"upstream_failed\"");
      assertThat(failed.receipt()).isNull();
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.receipt()).isNull();
      assertThat(mapping.http().get("/shop/broken").body()).isEqualTo("the host's own words");
    } finally {
      built = others;
    }
  }

  @Test
  void aTrickThatCouldMeanTheGatewayIsRefusedInAHostToo() {
    assertThat(host.http().get("/v1/marketplace%2Fcryptodata/market/etf").statusCode())
        .isEqualTo(400);
    assertThat(host.http().get("/V1//marketplace/cryptodata/market/etf").statusCode())
        .isEqualTo(404);
  }

  @Test
  void everyMethodOfTheGatewayIsPaidOrFree() {
    assertThat(Gateway.resourcesAnd(HomeResource.class))
        .flatExtracting(
            type -> Stream.of(type.getMethods()).filter(MountingTest::isEndpoint).toList())
        .isNotEmpty()
        .allMatch(
            method ->
                method.isAnnotationPresent(Paid.class) || method.isAnnotationPresent(Free.class));
  }

  @Test
  @Tag("spec:rule.general.2")
  void cryptoDataAndPredictionAreReadsAndThreeQuestionsAndNothingStreams() {
    List<Method> endpoints =
        Stream.of(new CryptoDataGroup(), new PredictionGroup())
            .flatMap(group -> group.resources().stream())
            .flatMap(type -> Stream.of(type.getMethods()))
            .filter(MountingTest::isEndpoint)
            .filter(method -> method.isAnnotationPresent(Paid.class))
            .toList();
    assertThat(endpoints)
        .filteredOn(method -> method.isAnnotationPresent(POST.class))
        .extracting(method -> method.getAnnotation(Path.class).value())
        .containsExactlyInAnyOrder("onchain/sql", "onchain/query", "venue-a/wallet/identities");
    assertThat(endpoints)
        .allMatch(method -> !method.isAnnotationPresent(Produces.class))
        .flatExtracting(method -> List.of(method.getParameterTypes()))
        .doesNotContain(SseEventSink.class, AsyncResponse.class);
  }

  private static boolean isEndpoint(Method method) {
    return method.isAnnotationPresent(GET.class) || method.isAnnotationPresent(POST.class);
  }
}
