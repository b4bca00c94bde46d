package dev.octroi.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.api.docs.HomeResource;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.error.ErrorMapper;
import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.group.Groups;
import dev.octroi.api.http.StandardHeaders;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.path.PathRules;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.setup.BuiltInGroups;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a host serves in place of a gateway that is not configured: the home says what to set,
 * everything else is 503. Sells nothing.
 */
public final class UnsetApplication extends Application {

  private final UnsetAnswers answers;

  public UnsetApplication(InvalidSettings why) {
    this.answers = new UnsetAnswers(why.problems());
  }

  /** CXF serves nothing without a resource; the answer comes before it is reached. */
  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(HomeResource.class);
  }

  /** The deprecated way is the only one that hands over an instance on every implementation. */
  @Override
  @SuppressWarnings("deprecation")
  public Set<Object> getSingletons() {
    return Set.of(new Answering(answers));
  }

  private record Answering(UnsetAnswers answers) implements Feature {

    @Override
    public boolean configure(FeatureContext context) {
      context.register(
          new PathRules(new PathAliases(new Groups(BuiltInGroups.ALL), Map.of(), Map.of()), true),
          1);
      context.register(answers, 2);
      context.register(new ErrorMapper());
      context.register(new ErrorShapes(), Priorities.USER);
      context.register(new StandardHeaders(false, path -> false));
      return true;
    }
  }

  /**
   * Answers every request of an application whose gateway is not configured, before anything is
   * matched: it lives, is not ready, and sells nothing. Strangers may read it, so it names settings
   * and never what they are set to.
   */
  @PreMatching
  static final class UnsetAnswers implements ContainerRequestFilter {

    private static final int ALIVE = 200;
    private static final int UNAVAILABLE = 503;
    private static final String SERVES_NOTHING = "The gateway is not configured yet.";
    private static final Pattern MISSING = Pattern.compile("gateway\\.[a-z0-9.-]+ is not set\\b.*");
    private static final Pattern KEY = Pattern.compile("gateway(\\.[a-z0-9-]+)+");
    private static final JsonFactory JSON = new JsonFactory();

    /** The process is well: to start it anew would set nothing. */
    private static final byte[] LIVE = "{\"status\":\"live\"}".getBytes(StandardCharsets.UTF_8);

    private static final byte[] NOT_READY =
        ("{\"status\":\"not_ready\",\"checks\":[{\"name\":\"settings\",\"status\":\"failed\","
                + "\"todo\":\"Set what the home of this application names, and start it again.\"}]}")
            .getBytes(StandardCharsets.UTF_8);

    private final byte[] home;

    UnsetAnswers(List<String> problems) {
      this.home = home(problems.stream().map(UnsetAnswers::told).distinct().toList());
    }

    @Override
    public void filter(ContainerRequestContext request) {
      String path = request.getUriInfo().getPath();
      request.abortWith(
          switch (path.startsWith("/") ? path.substring(1) : path) {
            case "" -> answer(UNAVAILABLE, home);
            case "health/live" -> answer(ALIVE, LIVE);
            case "health/ready" -> answer(UNAVAILABLE, NOT_READY);
            default -> ErrorAnswer.shaped(UNAVAILABLE, "not_configured", SERVES_NOTHING).response();
          });
    }

    private static Response answer(int status, byte[] json) {
      return Response.status(status)
          .entity(json)
          .type(MediaType.APPLICATION_JSON_TYPE)
          .header("Cache-Control", "no-store")
          .build();
    }

    /** The problem without any value, such as that of an address with a password in it. */
    static String told(String problem) {
      if (MISSING.matcher(problem).matches()) {
        return problem;
      }
      Matcher key = KEY.matcher(problem);
      return key.find() && key.start() == 0
          ? key.group() + ": the log says what is wrong with it"
          : "the log says what else is wrong";
    }

    private static byte[] home(List<String> problems) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (JsonGenerator json = JSON.createGenerator(bytes)) {
        json.writeStartObject();
        json.writeStringField("name", "Octroi");
        json.writeStringField("error", SERVES_NOTHING);
        json.writeArrayFieldStart("problems");
        for (String problem : problems) {
          json.writeString(problem);
        }
        json.writeEndArray();
        json.writeStringField(
            "next",
            "Set these as system properties, environment variables or context parameters and start"
                + " the application again. To try it out, run the sandbox (java -jar octroi.jar"
                + " sandbox) and set gateway.sandbox.url to the address that it prints.");
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }
  }
}
