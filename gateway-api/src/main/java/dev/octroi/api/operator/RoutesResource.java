package dev.octroi.api.operator;

import dev.octroi.api.change.ChangeParts;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.route.RouteTimeline.Source;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The routes of this moment, and which line says what of each. */
@Path("/admin/v1/routes")
@OperatorOnly
public class RoutesResource {

  private final OperatorServices services;

  public RoutesResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  record Routes(List<Route> data) {}

  /**
   * @param price where no rule says otherwise
   * @param lines what is set of it, by whole keys
   */
  record Route(
      String word,
      String path,
      String target,
      @Nullable Usd price,
      String description,
      boolean enabled,
      Map<String, Line> lines) {

    static Route of(Source source) {
      Map<String, Line> lines = new TreeMap<>();
      source.lines().forEach(line -> put(lines, line.name(), line.value(), line.place()));
      source.changed().forEach((key, line) -> put(lines, key, line.value(), line.change().name()));
      return new Route(
          source.word(),
          source.settings().path(),
          source.settings().target().toString(),
          source.settings().price().orElse(null),
          source.settings().description(),
          source.settings().enabled(),
          lines);
    }

    private static void put(Map<String, Line> lines, String key, String value, String place) {
      lines.put(key, new Line(ChangeParts.isSecret(key) ? "****" : value, place));
    }
  }

  /**
   * @param place the file's line, or the change
   */
  record Line(String value, String place) {}

  @GET
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  public byte[] routes() {
    return HouseJson.of(new Routes(services.live().routes().stream().map(Route::of).toList()));
  }
}
