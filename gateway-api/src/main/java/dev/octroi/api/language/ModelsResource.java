package dev.octroi.api.language;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.language.LanguageService.Problems;
import dev.octroi.api.language.ModelList.Entry;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Free;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.Problem;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The live catalogue, free and without credentials (decisions, models): in the form of chat and
 * responses, or in that of messages for a caller that names the version of that protocol.
 */
@Path("/v1/models")
@Produces(MediaType.APPLICATION_JSON)
public class ModelsResource {

  private final LanguageService service;

  public ModelsResource(@Context Providers providers) {
    service = LanguageService.of(providers);
  }

  @GET
  @Free
  @Described(
      value = "Every model and route that is served",
      more = "With the header of the messages protocol, in that protocol's form and pages.",
      headers = MessagesResource.VERSION + ": for the form of the messages protocol",
      query = {
        "limit: entries of a page of that form, 1 to 1000",
        "after_id: the page behind this entry",
        "before_id: the page before this entry"
      },
      answerSchema = "ModelList")
  public Response list(
      @HeaderParam(MessagesResource.VERSION) @Nullable String version,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("after_id") @Nullable String after,
      @QueryParam("before_id") @Nullable String before) {
    List<Entry> entries = service.list().entries();
    if (version == null) {
      ObjectNode list = LanguageJson.object().put("object", "list");
      entries.forEach(entry -> list.withArray("data").add(entry.openForm()));
      return Response.ok(LanguageJson.bytes(list)).build();
    }
    return PageOfModels.of(entries, limit, after, before)
        .map(page -> Response.ok(LanguageJson.bytes(page)).build())
        .orElseGet(() -> refused(Dialect.MESSAGES, 400, PageOfModels.RULE, "invalid_params"));
  }

  /** One model; its name may hold the slash of its vendor's prefix. */
  @GET
  @Path("{model: .+}")
  @Free
  @Described(
      value = "One model or route, by any of its names",
      example = "{\"model\":\"auto/eco\"}",
      headers = MessagesResource.VERSION + ": for the form of the messages protocol",
      answerSchema = "Model")
  public Response one(
      @PathParam("model") String name,
      @HeaderParam(MessagesResource.VERSION) @Nullable String version) {
    Dialect dialect = version == null ? Dialect.CHAT : Dialect.MESSAGES;
    Optional<Entry> found = service.list().find(name);
    return found
        .map(entry -> version == null ? entry.openForm() : entry.messagesForm())
        .map(view -> Response.ok(LanguageJson.bytes(view)).build())
        .orElseGet(() -> refused(dialect, 404, "There is no such model.", "model_not_found"));
  }

  private static Response refused(Dialect dialect, int status, String message, String code) {
    return Problems.response(dialect, Problem.of(status, message, code));
  }

  /** A page of the list in the messages protocol. */
  private static final class PageOfModels {

    static final String RULE =
        "limit is 1 to 1000, and after_id or before_id, not both, is an id of the list";

    private static final int USUAL = 20;
    private static final Pattern LIMIT = Pattern.compile("[1-9]\\d{0,2}|1000");

    private PageOfModels() {}

    /** Empty for a page that there is not. */
    static Optional<ObjectNode> of(
        List<Entry> all, @Nullable String limit, @Nullable String after, @Nullable String before) {
      int behind = after == null ? -1 : at(all, after);
      int ahead = before == null ? all.size() : at(all, before);
      boolean known = (after == null || behind >= 0) && ahead >= 0;
      if (!known || (after != null && before != null)) {
        return Optional.empty();
      }
      if (limit != null && !LIMIT.matcher(limit).matches()) {
        return Optional.empty();
      }
      int most = limit == null ? USUAL : Integer.parseInt(limit);
      int from = before == null ? behind + 1 : Math.max(0, ahead - most);
      int to = Math.min(ahead, from + most);
      return Optional.of(page(all.subList(from, to), before == null ? to < all.size() : from > 0));
    }

    private static int at(List<Entry> all, String id) {
      return all.stream().map(Entry::id).toList().indexOf(id);
    }

    private static ObjectNode page(List<Entry> entries, boolean more) {
      ObjectNode page = LanguageJson.object();
      page.putArray("data").addAll(entries.stream().map(Entry::messagesForm).toList());
      return page.put("has_more", more)
          .put("first_id", entries.isEmpty() ? null : entries.get(0).id())
          .put("last_id", entries.isEmpty() ? null : entries.get(entries.size() - 1).id());
    }
  }
}
