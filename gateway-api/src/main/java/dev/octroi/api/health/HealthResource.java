package dev.octroi.api.health;

import dev.octroi.api.health.Readiness.HealthReport;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether this node lives, and whether it may be sent calls: for load balancers and orchestrators.
 * Free and not limited, since an answer costs less than counting who asks. Names what is not well
 * and what to do about it, and nothing more.
 */
@Path("/health")
@Produces(MediaType.APPLICATION_JSON)
public class HealthResource {

  private static final int UNAVAILABLE = 503;

  private final Readiness readiness;

  public HealthResource(@Context Providers providers) {
    readiness = Mounted.of(providers, Readiness.class);
  }

  /** 200 unless a new process could serve and this one cannot any more. */
  @GET
  @Path("live")
  @Free
  @Described(
      value = "Whether the process lives",
      answerSchema = "Health",
      unavailableSchema = "Health")
  public Response live() {
    return readiness.needsRestart()
        ? answer(
            UNAVAILABLE,
            Map.of("status", "failed", "todo", "Restart this process; look at the log for why."))
        : answer(200, Map.of("status", "live"));
  }

  /** 200 if calls may be sent here, else 503 with what to do. */
  @GET
  @Path("ready")
  @Free
  @Described(
      value = "Whether calls may be sent here",
      answerSchema = "Health",
      unavailableSchema = "Health")
  public Response ready() {
    HealthReport report = readiness.report();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", report.ready() ? "ready" : report.draining() ? "draining" : "not_ready");
    List<Map<String, Object>> checks = new ArrayList<>();
    report.findings().forEach(finding -> checks.add(shown(finding)));
    body.put("checks", checks);
    return answer(report.ready() ? 200 : UNAVAILABLE, body);
  }

  private static Map<String, Object> shown(HealthReport.Finding finding) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", finding.name());
    shown.put("status", finding.well() ? "ok" : "failed");
    if (!finding.well()) {
      shown.put("todo", finding.todo());
    }
    return shown;
  }

  private static Response answer(int status, Map<String, Object> body) {
    return Response.status(status)
        .entity(HouseJson.of(body))
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }
}
