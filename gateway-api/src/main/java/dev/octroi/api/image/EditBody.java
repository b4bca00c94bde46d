package dev.octroi.api.image;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.GivenPicture;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.WebAddress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads edits in both their forms: a multipart form, or JSON with base64 and addresses. */
record EditBody(ImageRequests requests, PageFetcher web) {

  private static final Pattern DATA = Pattern.compile("data:[a-z]+/[a-z0-9.+-]+;base64,");

  /** RFC 2046: 70 characters at most, none of them a quotation mark. */
  private static final Pattern BOUNDARY =
      Pattern.compile("--([0-9A-Za-z'()+_,./:=? -]{1,70}?)\\s*\r\n");

  private static final int LONGEST_BOUNDARY = 80;

  /** What decides the price. */
  static ImageBody fields(InputStream body) {
    InputStream in = new BufferedInputStream(body);
    return form(in)
        .map(type -> form(Upload.texts(in, type)))
        .orElseGet(() -> ImageBody.ofJson(all(in)));
  }

  /**
   * All of it, with its pictures fetched and decoded.
   *
   * @throws Failure 400 naming what is missing or bad, 422 for an address that gives no picture
   */
  ImageEdit read(InputStream body, Deadline deadline) {
    InputStream in = new BufferedInputStream(body);
    Optional<String> form = form(in);
    return form.isPresent()
        ? ofForm(Upload.read(in, form.get()))
        : ofJson(ImageBody.ofJson(all(in)), deadline);
  }

  /**
   * The type of a form, which begins with its boundary, as no JSON does. Told from the body and not
   * from its header, so that what is priced and what is done are read alike.
   */
  private static Optional<String> form(InputStream in) {
    try {
      in.mark(LONGEST_BOUNDARY);
      String head = new String(in.readNBytes(LONGEST_BOUNDARY), StandardCharsets.ISO_8859_1);
      in.reset();
      Matcher line = BOUNDARY.matcher(head);
      return line.lookingAt()
          ? Optional.of("multipart/form-data; boundary=\"" + line.group(1) + "\"")
          : Optional.empty();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static ImageBody form(Upload upload) {
    return ImageBody.ofForm(upload.fields(), upload.pictures());
  }

  private static byte[] all(InputStream in) {
    try {
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private ImageEdit ofForm(Upload upload) {
    if (upload.masks().size() > 1) {
      throw Failure.invalid("mask is one picture");
    }
    return new ImageEdit(
        requests.order(form(upload), true),
        pictures("image", upload.pictures()),
        pictures("mask", upload.masks()).stream().findFirst());
  }

  private static List<GivenPicture> pictures(String name, List<byte[]> all) {
    return all.stream().map(bytes -> GivenPicture.read(name, bytes)).toList();
  }

  private ImageEdit ofJson(ImageBody body, Deadline deadline) {
    var order = requests.order(body, true);
    List<GivenPicture> pictures = new ArrayList<>();
    for (String one : body.pictures()) {
      pictures.add(GivenPicture.read("images", bytes("images", one, deadline)));
    }
    Optional<GivenPicture> mask =
        body.mask().map(one -> GivenPicture.read("mask", bytes("mask", one, deadline)));
    return new ImageEdit(order, pictures, mask);
  }

  private byte[] bytes(String name, String given, Deadline deadline) {
    if (given.startsWith("http:") || given.startsWith("https:")) {
      return fetched(name, given, deadline);
    }
    Matcher data = DATA.matcher(given);
    String base64 = data.lookingAt() ? given.substring(data.end()) : given;
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException neither) {
      throw new Failure(
          ErrorCode.INVALID_PARAMS, name + " is neither base64 nor an http address", null, neither);
    }
  }

  private byte[] fetched(String name, String given, Deadline deadline) {
    WebAddress address =
        WebAddress.of(given)
            .orElseThrow(() -> new Failure(ErrorCode.INVALID_URL, name + " has a malformed URL"));
    Fetched fetched = web.fetch(address, deadline);
    if (fetched instanceof Fetched.Page page) {
      return page.body();
    }
    throw new Failure(
        ErrorCode.URL_UNREACHABLE,
        name + " could not be fetched: " + ((Fetched.Refused) fetched).reason().text());
  }
}
