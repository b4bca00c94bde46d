package dev.octroi.api.image;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.io.InputStream;

/** Edits of pictures, which a caller waits for. */
@Path(ImageGroup.EDITS)
@Linking
public class ImageEditResource {

  private final ImageService service;

  public ImageEditResource(@Context Providers providers) {
    this(ImageService.of(providers));
  }

  ImageEditResource(ImageService service) {
    this.service = service;
  }

  @POST
  @Consumes({MediaType.APPLICATION_JSON, MediaType.MULTIPART_FORM_DATA})
  @Sold(
      about = "Images: changes pictures as a prompt says.",
      schema = "edit",
      example = "{\"prompt\":\"at night\",\"images\":[\"https://example.com/booth.png\"]}")
  @Paid(by = EditTariff.class)
  @Described(formSchema = "ImageEditForm", answerSchema = "ImageAnswer")
  public Response edit(
      InputStream body,
      @HeaderParam(BaseAddress.HEADER) String base,
      @Context SecurityContext security) {
    return service.edit(body, Payment.of(security.getUserPrincipal()), base);
  }
}
