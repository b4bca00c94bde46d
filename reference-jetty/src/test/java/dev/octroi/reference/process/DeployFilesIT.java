package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsInForce;
import dev.octroi.api.settings.SettingsSources;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the deployment, as far as they can be judged without what they are for. */
class DeployFilesIT {

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "ConfigMap", ConfigMap.class,
          "Secret", Secret.class,
          "Deployment", Deployment.class,
          "PodDisruptionBudget", PodDisruptionBudget.class,
          "Service", Service.class,
          "Ingress", Ingress.class);

  private static final Pattern VARIABLE = Pattern.compile("\\bGATEWAY_[A-Z0-9_]+");
  private static final String KEY = "A".repeat(43) + "=";

  @TempDir private Path folder;

  /** A member that a kind does not have is kept aside by these classes: here it is an error. */
  private static YAMLMapper strict() {
    YAMLMapper yaml = new YAMLMapper(new YAMLFactory());
    yaml.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    yaml.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    yaml.setAnnotationIntrospector(
        new JacksonAnnotationIntrospector() {
          private static final long serialVersionUID = 1L;

          @Override
          public Boolean hasAnySetter(Annotated annotated) {
            return false;
          }
        });
    return yaml;
  }

  private static List<HasMetadata> manifests() throws IOException {
    YAMLMapper yaml = strict();
    List<HasMetadata> read = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        yaml.readerFor(JsonNode.class).readValues(DeployFolder.read("kubernetes.yaml"))) {
      for (JsonNode document : documents.readAll()) {
        read.add(yaml.treeToValue(document, KINDS.get(document.path("kind").asText())));
      }
    }
    return read;
  }

  private static <T extends HasMetadata> T the(Class<T> kind) throws IOException {
    return manifests().stream().filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
  }

  @Test
  void theManifestsHaveTheMembersOfTheirKindsAndNoOthers() throws IOException {
    assertThat(manifests()).hasSize(KINDS.size());
    assertThatThrownBy(
            () -> strict().readValue("kind: Pod\nspec: {restartPolice: Never}", Pod.class))
        .isInstanceOf(UnrecognizedPropertyException.class);
  }

  @Test
  void theManifestsBelongTogether() throws IOException {
    Deployment deployment = the(Deployment.class);
    Map<String, String> labels = deployment.getSpec().getTemplate().getMetadata().getLabels();
    assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(the(Service.class).getSpec().getSelector()).isEqualTo(labels);
    assertThat(the(PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels())
        .isEqualTo(labels);
    assertThat(deployment.getSpec().getReplicas()).isGreaterThan(1);

    PodSpec pod = deployment.getSpec().getTemplate().getSpec();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(DeployFolder.instructions("USER"))
        .containsExactly(
            pod.getSecurityContext().getRunAsUser()
                + ":"
                + pod.getSecurityContext().getRunAsGroup());
    assertThat(pod.getContainers())
        .singleElement()
        .satisfies(
            container -> {
              assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
              assertThat(container.getReadinessProbe().getHttpGet().getPath())
                  .isEqualTo("/health/ready");
              assertThat(container.getLivenessProbe().getHttpGet().getPath())
                  .isEqualTo("/health/live");
            });
    GatewaySettings settings = settings();
    Duration end = settings.http().drainDelay().plus(settings.http().shutdownGrace());
    assertThat(Duration.ofSeconds(pod.getTerminationGracePeriodSeconds())).isGreaterThan(end);
  }

  /** With the keys of an operator's they are settings that a gateway starts with. */
  private static GatewaySettings settings() throws IOException {
    Map<String, String> variables = new HashMap<>(DeployFolder.environment());
    variables.putAll(the(ConfigMap.class).getData());
    assertThat(the(Secret.class).getStringData().values()).containsOnly("");
    the(Secret.class).getStringData().keySet().forEach(name -> variables.put(name, KEY));
    return GatewaySettings.read(SettingsSources.none().environment(variables));
  }

  @Test
  void aPodIsGivenAllThatItWouldElseKeepInADataFolder() throws IOException {
    GatewaySettings settings = settings();
    assertThat(settings.database().url()).startsWith("jdbc:postgresql:");
    assertThat(settings.database().answerKey().value()).isNotEmpty();
    assertThat(settings.keys().masterKeys()).isNotEmpty();
    assertThat(settings.admin().token().value()).isNotEmpty();
  }

  @Test
  void theCompositionIsStrictYaml() throws IOException {
    JsonNode composition = strict().readTree(DeployFolder.read("compose.yaml"));
    assertThat(composition.path("services").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("node1", "node2", "postgres", "nginx");
    assertThat(composition.path("x-node").path("read_only").asBoolean()).isTrue();
    // The file that nginx is given lies beside it.
    assertThat(composition.path("services").path("nginx").path("volumes").path(0).asText())
        .startsWith("./nginx.conf:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile", "compose.yaml", "kubernetes.yaml", ".env.example"})
  void everyVariableIsASetting(String file) throws IOException {
    Set<String> settings =
        SettingsInForce.of(GatewaySettings.read(SettingsSources.none())).keySet().stream()
            .map(key -> key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    settings.add("GATEWAY_KEYS_MASTER_KEY");
    Set<String> named =
        VARIABLE
            .matcher(DeployFolder.read(file))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isNotEmpty();
    assertThat(settings).containsAll(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx.conf", "Caddyfile", "haproxy.cfg"})
  void everyProxySendsACallOnceAndKeepsTheInsideInside(String file) throws IOException {
    String proxy = DeployFolder.read(file);
    assertThat(proxy)
        .containsPattern("proxy_next_upstream off;|lb_retries 0|retries 0")
        .contains("admin", "console", "metrics", "Forwarded", "GATEWAY_HTTP_TRUSTED_PROXIES");
  }

  /** Of the linters that npm has, the one that needs no other program. */
  @Test
  void aLinterFindsNothingInTheImagesFile() throws Exception {
    NpmFolder npm = NpmFolder.of("lint", "lint");
    Optional<String> problem = npm.install();
    problem.ifPresent(
        reason -> {
          System.out.println("SKIPPED, no linter looked at the Dockerfile: " + reason);
          Assumptions.abort(reason);
        });
    try (Running linter =
        npm.start(
            List.of(
                "node_modules/dockerfilelint/bin/dockerfilelint",
                DeployFolder.PATH.resolve("Dockerfile").toString()))) {
      assertThat(linter.awaitExit()).as(linter::said).isZero();
    }
    Path bad = Files.writeString(folder.resolve("Dockerfile"), "FROM debian\nRUN sudo ls\n");
    try (Running linter =
        npm.start(List.of("node_modules/dockerfilelint/bin/dockerfilelint", bad.toString()))) {
      assertThat(linter.awaitExit()).as(linter::said).isNotZero();
    }
  }

  @Test
  void theUnitIsGoodAndExposesLittle() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path unit =
        Files.writeString(
            folder.resolve("octroi.service"),
            DeployFolder.read("octroi.service").replace("/usr/bin/java", java));
    assertThat(ended("systemd-analyze", "verify", unit.toString()).errText()).isEmpty();
    Running security =
        ended("systemd-analyze", "security", "--offline=true", "--threshold=20", unit.toString());
    assertThat(security.awaitExit()).as(security::said).isZero();
  }

  private Running ended(String... command) throws Exception {
    try (Running running = Running.start(List.of(command), Map.of(), folder)) {
      running.awaitExit();
      return running;
    } catch (IOException e) {
      System.out.println("SKIPPED, the unit was not looked at: " + e.getMessage());
      return Assumptions.abort("systemd-analyze cannot be started");
    }
  }

  @Test
  void theScriptsCanBeRun() throws IOException {
    try (Stream<Path> files = Files.list(DeployFolder.PATH)) {
      assertThat(files.filter(Files::isExecutable).map(path -> path.getFileName().toString()))
          .containsExactly("healthcheck");
    }
  }
}
