package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.operator.OperatorServices;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.reflect.Method;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators with roles and tokens of their own. */
class OperatorRolesTest {

  private static final String NO_PAYMENT = "/admin/v1/payments/" + UUID.randomUUID() + "/redrive";

  private static final Set<String> ACTING =
      Set.of("payments", "refunds", "effects", "node", "books", "webhooks");

  private static Admin admin;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static JsonNode created(String name, String role) {
    return admin.post("operators", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}");
  }

  private static int status(String method, String path, String token, String body) {
    return admin.send(method, path, token, body).statusCode();
  }

  @Test
  void anOperatorWhoReadsSeesEverythingAndChangesNothing() {
    String token = created("reader", "read").path("token").asText();
    for (String path :
        List.of("payments", "credit", "channels", "keys", "failures", "actions", "operators")) {
      assertThat(status("GET", "/admin/v1/" + path, token, null)).as(path).isEqualTo(200);
    }
    assertThat(status("POST", NO_PAYMENT, token, "{}")).isEqualTo(403);
    assertThat(status("POST", "/admin/v1/keys", token, "{\"name\":\"x\"}")).isEqualTo(403);
    assertThat(admin.send("POST", "/admin/v1/node/drain", token, "{}").body())
        .isEqualTo("{\"error\":\"The role 'read' does not permit this.\"}");
    assertThat(admin.get("node").path("draining").asBoolean()).isFalse();
  }

  @Test
  void anOperatorWhoActsDecidesPaymentsAndMakesNoKeys() {
    String token = created("acting", "act").path("token").asText();
    assertThat(status("POST", NO_PAYMENT, token, "{}")).isEqualTo(404);
    assertThat(status("POST", "/admin/v1/keys", token, "{\"name\":\"x\"}")).isEqualTo(403);
    assertThat(status("POST", "/admin/v1/%6beys", token, "{\"name\":\"x\"}")).isNotEqualTo(201);
    JsonNode action = admin.get("actions?limit=1&operator=acting").path("data").path(0);
    assertThat(action.path("path").asText()).endsWith("/redrive");
    assertThat(action.path("operator").asText()).isEqualTo("acting");
  }

  /** Every method of every resource, by every role and by none. */
  @ParameterizedTest
  @ValueSource(strings = {"read", "act", "admin"})
  void eachRoleDoesWhatItMayAndNothingElse(String role) {
    try (Admin own = new Admin(Map.of())) {
      String token =
          own.post("operators", "{\"name\":\"each\",\"role\":\"" + role + "\"}")
              .path("token")
              .asText();
      for (Class<?> resource : OperatorServices.RESOURCES) {
        String base = resource.getAnnotation(Path.class).value();
        String word = base.substring(base.lastIndexOf('/') + 1);
        for (Method method : resource.getDeclaredMethods()) {
          verb(method)
              .ifPresent(
                  verb -> {
                    boolean reads = verb.equals("GET");
                    boolean may =
                        reads
                            || role.equals("admin") && !word.equals("operators")
                            || role.equals("act") && ACTING.contains(word);
                    String path = base + below(method);
                    String body = reads ? null : "[]";
                    String asked = role + " " + verb + " " + path;
                    assertThat(own.send(verb, path, "no-token", body).statusCode())
                        .as(asked)
                        .isIn(401, 429);
                    assertThat(own.send(verb, path, token, body).statusCode() != 403)
                        .as(asked)
                        .isEqualTo(may);
                  });
        }
      }
    }
  }

  private static Optional<String> verb(Method method) {
    return Stream.of(method.getAnnotations())
        .map(one -> one.annotationType().getAnnotation(HttpMethod.class))
        .filter(Objects::nonNull)
        .map(HttpMethod::value)
        .findFirst();
  }

  private static String below(Method method) {
    Path path = method.getAnnotation(Path.class);
    return path == null
        ? ""
        : "/" + path.value().replaceAll("\\{.*?}", UUID.randomUUID().toString());
  }

  @Test
  void anOperatorIsToldWhatTheRolePermits() {
    for (String role : List.of("read", "act", "admin")) {
      String token = created("told-" + role, role).path("token").asText();
      JsonNode me = Admin.json(admin.send("GET", "/admin/v1/operators/me", token, null).body());
      assertThat(me.path("name").asText()).isEqualTo("told-" + role);
      assertThat(me.path("role").asText()).isEqualTo(role);
      for (String what : List.of("refunds/x/paid", "keys", "changes", "operators")) {
        int status = status("POST", "/admin/v1/" + what, token, "[]");
        String word = what.split("/", 2)[0];
        assertThat(me.path("may").toString().contains("\"" + word + "\""))
            .as(role + " and " + what + ": " + status)
            .isEqualTo(status != 403);
      }
    }
    JsonNode owner = admin.get("operators/me");
    assertThat(owner.path("role").isNull()).isTrue();
    assertThat(owner.path("may").toString()).contains("operators", "keys", "refunds");
  }

  @Test
  void onlyTheTokenOfTheSettingsManagesOperators() {
    String token = created("second", "admin").path("token").asText();
    assertThat(status("POST", "/admin/v1/keys", token, "{\"name\":\"x\"}")).isEqualTo(201);
    assertThat(status("POST", "/admin/v1/operators", token, "{\"name\":\"y\",\"role\":\"admin\"}"))
        .isEqualTo(403);
    for (String path :
        List.of(
            "admin/v1/operators;x=1",
            "admin;x/v1/operators",
            "admin/v1;x=/operators",
            "admin/v1/%6fperators",
            "admin/v1/operators/",
            "admin/v1//operators",
            "admin/v1/./operators")) {
      assertThat(status("POST", "/" + path, token, "{\"name\":\"sly\",\"role\":\"admin\"}"))
          .as(path)
          .isIn(400, 403, 404);
    }
    assertThat(status("POST", "/admin/v1/operators/" + UUID.randomUUID() + "/revoke", token, "{}"))
        .isEqualTo(403);
  }

  @Test
  void pricesAreChangedAndPreviewedByAdministratorsAlone() {
    String body = "{\"lines\":{\"group.cryptodata\":\"0.02\"}}";
    for (String role : List.of("read", "act")) {
      String token = created("prices-" + role, role).path("token").asText();
      assertThat(status("GET", "/admin/v1/changes", token, null)).isEqualTo(200);
      assertThat(status("POST", "/admin/v1/changes", token, body)).isEqualTo(403);
      assertThat(status("POST", "/admin/v1/changes/preview", token, body)).isEqualTo(403);
    }
    String token = created("prices-admin", "admin").path("token").asText();
    assertThat(status("POST", "/admin/v1/changes", token, body)).isEqualTo(201);
    assertThat(admin.get("changes").at("/data/0/by").asText()).isEqualTo("prices-admin");
  }

  @Test
  void aRevokedTokenIsRefusedAtOnceHereAndSoonOnOtherNodes() {
    JsonNode issued = created("leaving", "read");
    String token = issued.path("token").asText();
    try (GatewayHost other =
        admin
            .host()
            .beside(
                Map.of(
                    "gateway.admin.token",
                    Admin.TOKEN,
                    "gateway.keys.master-key",
                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))) {
      assertThat(statusAt(other, token)).isEqualTo(200);
      assertThat(status("GET", "/admin/v1/keys", token, null)).isEqualTo(200);

      JsonNode revoked =
          admin.post("operators/" + issued.at("/operator/id").asText() + "/revoke", "{}");

      assertThat(revoked.path("state").asText()).isEqualTo("revoked");
      assertThat(status("GET", "/admin/v1/keys", token, null)).isEqualTo(401);
      Awaitility.await()
          .atMost(Duration.ofSeconds(8))
          .untilAsserted(() -> assertThat(statusAt(other, token)).isIn(401, 429));
    }
    assertThat(admin.status("POST", "operators", "{\"name\":\"leaving\",\"role\":\"read\"}"))
        .as("a name means one operator for ever")
        .isEqualTo(409);
  }

  private static int statusAt(GatewayHost host, String token) {
    return host.http()
        .send(
            host.http()
                .request("/admin/v1/keys")
                .header("Authorization", "Bearer " + token)
                .build())
        .statusCode();
  }

  @Test
  void aChangeIsOfWhoAskedThoughTheTokenIsRevokedMeanwhile() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    ContainerRequestFilter behindTheGate = request -> meanwhile.getAndSet(() -> {}).run();
    try (GatewayHost host =
        new GatewayHost(
            Map.of("gateway.admin.token", Admin.TOKEN),
            gateway ->
                ResourceConfig.forApplication(new GatewayApplication(gateway))
                    .register(behindTheGate, Priorities.USER))) {
      JsonNode issued =
          posted(host, "operators", Admin.TOKEN, "{\"name\":\"short\",\"role\":\"admin\"}");
      String revoke = "operators/" + issued.at("/operator/id").asText() + "/revoke";
      meanwhile.set(() -> posted(host, revoke, Admin.TOKEN, "{}"));

      JsonNode change =
          posted(
              host,
              "changes",
              issued.path("token").asText(),
              "{\"lines\":{\"group.cryptodata\":\"0.03\"}}");

      assertThat(change.path("by").asText()).isEqualTo("short");
    }
  }

  private static JsonNode posted(GatewayHost host, String path, String token, String body) {
    return Admin.ok(
        host.http()
            .send(
                host.http()
                    .request("/admin/v1/" + path)
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build()));
  }

  @Test
  void theDatabaseHasNoTokenAndNeitherHaveTheActions() throws SQLException {
    String token = created("hashed", "read").path("token").asText();
    assertThat(token).startsWith("op-").hasSizeGreaterThan(40);
    assertThat(
            admin
                .host()
                .count(
                    "SELECT count(*) FROM operator_action WHERE POSITION('"
                        + token
                        + "' IN after_state) > 0"))
        .isZero();
    assertThat(admin.get("operators").toString()).doesNotContain(token);
  }

  @Test
  void whatIsNoOperatorIsRefused() {
    for (String body :
        List.of(
            "{\"name\":\"admin\",\"role\":\"read\"}",
            "{\"name\":\"A B\",\"role\":\"read\"}",
            "{\"name\":\"fine\",\"role\":\"king\"}",
            "{\"role\":\"read\"}",
            "{\"name\":\"fine\"}")) {
      assertThat(admin.status("POST", "operators", body)).as(body).isIn(400, 409);
    }
  }
}
