package dev.octroi.api;

import dev.octroi.api.docs.HomeResource;
import dev.octroi.api.error.ErrorMapper;
import dev.octroi.api.error.ErrorShapes;
import dev.octroi.api.group.Groups;
import dev.octroi.api.http.StandardHeaders;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.path.PathRules;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.setup.BuiltInGroups;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Map;
import java.util.Set;

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
      context.register(new StandardHeaders(false));
      return true;
    }
  }
}
