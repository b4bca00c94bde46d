package dev.octroi.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.catalogue.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.RequestBody;
import jakarta.ws.rs.Consumes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Describes the bodies of requests: those of the catalogue, and those of free methods. */
final class Bodies {

  private static final String FORM = "multipart/form-data";

  private Bodies() {}

  /** The name of the schema of what is sold; {@link ApiDocument} writes it. */
  static String schema(Operation sold) {
    return sold.name() + "_request";
  }

  static @Nullable RequestBody of(Operation sold, String formSchema) {
    if (sold.bodySchema().isEmpty()) {
      return null;
    }
    Content content =
        new Content()
            .addMediaType(
                sold.bodyType(),
                new MediaType()
                    .schema(ErrorResponses.reference(schema(sold)))
                    .example(sold.body(sold.example())));
    if (!formSchema.isEmpty()) {
      content.addMediaType(FORM, new MediaType().schema(ErrorResponses.reference(formSchema)));
    }
    return new RequestBody().required(true).content(content);
  }

  static @Nullable RequestBody of(Route route) {
    Optional<Described> described = route.described();
    if (described.filter(one -> one.body() != Void.class).isPresent()) {
      return json(described.map(Described::body).map(RecordSchemas::ofBody).orElseThrow());
    }
    if (described.filter(one -> !one.bodySchema().isEmpty()).isPresent()) {
      RequestBody body =
          json(described.map(Described::bodySchema).map(ErrorResponses::reference).orElseThrow());
      JsonNode example = route.example();
      if (!example.isMissingNode()) {
        body.getContent().values().forEach(media -> media.example(example));
      }
      return body;
    }
    boolean takes =
        !route.isPaid()
            && (route.method().isAnnotationPresent(Consumes.class) || route.takesBody());
    return takes ? json(RecordSchemas.ofType("object")).required(false) : null;
  }

  private static RequestBody json(io.swagger.v3.oas.models.media.JsonSchema schema) {
    return new RequestBody().required(true).content(ErrorResponses.json(schema));
  }
}
