package dev.octroi.api.image;

import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.openapi.Described;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.images.ImageRequests;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Edits of pictures, which a caller waits for. */
@Path(ImageGroup.EDITS)
@Linking
public class ImageEditResource {

  private final ImageService service;

  public ImageEditResource(@Context Providers providers) {
    service = ImageService.of(providers);
  }

  @POST
  @Consumes({MediaType.APPLICATION_JSON, MediaType.MULTIPART_FORM_DATA})
  @Sold(
      about = "Images: changes pictures as a prompt says.",
      schema = "edit",
      example =
          "{\"prompt\":\"at night\",\"images\":[\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAA"
              + "DElEQVR42mPQCFgAAAG8ARlhihqFAAAAAElFTkSuQmCC\"]}")
  @Paid(by = EditTariff.class)
  @Described(
      formSchema = "ImageEditForm",
      answerSchema = "ImageAnswer",
      answerTypes = {"application/json", "text/event-stream"})
  public Response edit(
      InputStream body,
      @HeaderParam(BaseAddress.HEADER) String base,
      @Context SecurityContext security) {
    return service.edit(body, Payment.of(security.getUserPrincipal()), base);
  }

  /** The price of edits, counted like that of drawings. */
  public static final class EditTariff implements Tariff {

    private final ImageRequests requests;

    public EditTariff(ImageRequests requests) {
      this.requests = requests;
    }

    /** Looks at no picture: a caller that has not paid is not worth the work. */
    @Override
    public Usd price(PricedRequest request) {
      return new Usd(
          requests.quote(EditBody.fields(new ByteArrayInputStream(request.body())), true).micros());
    }
  }
}
