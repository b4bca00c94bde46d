package dev.octroi.api.websearch;

import dev.octroi.api.catalogue.Field;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /contents}; a member {@code urls} is ignored (specification, web search). */
public record ContentsBody(
    @Field(value = "Addresses")
        @NotEmpty(message = "is required")
        @Size(max = 100, message = "has 1 to 100 addresses")
        @Nullable List<@NotBlank(message = "is required") String> ids) {

  /**
   * The pages.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_url}
   */
  public List<String> pages() {
    return Urls.checked("ids", Objects.requireNonNull(ids));
  }
}
