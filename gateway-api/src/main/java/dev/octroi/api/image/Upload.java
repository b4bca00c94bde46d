package dev.octroi.api.image;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.GivenPicture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.fileupload2.core.AbstractFileUpload;
import org.apache.commons.fileupload2.core.DiskFileItem;
import org.apache.commons.fileupload2.core.DiskFileItemFactory;
import org.apache.commons.fileupload2.core.FileItemInput;
import org.apache.commons.fileupload2.core.FileItemInputIterator;
import org.apache.commons.fileupload2.core.FileUploadException;
import org.apache.commons.fileupload2.core.RequestContext;

/**
 * A multipart form, read part by part from a stream that the gate keeps, on disk where it is long.
 *
 * @param fields texts by name
 * @param files bytes by name, or only the first of them
 */
record Upload(Map<String, String> fields, Map<String, List<byte[]>> files) {

  private static final int MOST_PARTS = 64;
  private static final int LONGEST_TEXT = 256 * 1024;

  /** One more than is allowed, to be told by those who know what the file is for. */
  private static final int LONGEST_FILE = GivenPicture.MAX_BYTES + 1;

  /** What of a picture tells its size. */
  private static final int HEAD = 32;

  private static final Set<String> FILES = Set.of("image", "image[]", "mask");

  /** Whether a body of this type is a form. */
  static boolean isForm(String type) {
    return type.regionMatches(
        true, 0, AbstractFileUpload.MULTIPART_FORM_DATA, 0, "multipart/form-data".length());
  }

  /** All of a form. */
  static Upload read(InputStream body, String type) {
    return read(body, type, true);
  }

  /** What decides the price of a form: its texts, and of its files the head alone. */
  static Upload texts(InputStream body, String type) {
    return read(body, type, false);
  }

  private static Upload read(InputStream body, String type, boolean withFiles) {
    Map<String, String> fields = new HashMap<>();
    Map<String, List<byte[]>> files = new HashMap<>();
    try {
      FileItemInputIterator parts = new Parser().getItemIterator(new Posted(body, type));
      for (int count = 0; parts.hasNext(); count++) {
        if (count == MOST_PARTS) {
          throw Failure.invalid("The form has more than " + MOST_PARTS + " parts");
        }
        FileItemInput part = parts.next();
        if (part.getFieldName() == null) {
          throw Failure.invalid("A part of the form has no name");
        }
        if (FILES.contains(part.getFieldName())) {
          files
              .computeIfAbsent(part.getFieldName(), name -> new ArrayList<>())
              .add(file(part, withFiles));
        } else {
          fields.put(part.getFieldName(), text(part));
        }
      }
    } catch (IOException malformed) {
      throw new Failure(
          ErrorCode.INVALID_PARAMS, "The body is not a form that can be read", null, malformed);
    }
    return new Upload(Map.copyOf(fields), Map.copyOf(files));
  }

  private static byte[] file(FileItemInput part, boolean wanted) throws IOException {
    try (InputStream in = part.getInputStream()) {
      return in.readNBytes(wanted ? LONGEST_FILE : HEAD);
    }
  }

  private static String text(FileItemInput part) throws IOException {
    try (InputStream in = part.getInputStream()) {
      byte[] text = in.readNBytes(LONGEST_TEXT + 1);
      if (text.length > LONGEST_TEXT) {
        throw Failure.invalid("A text of the form is too long");
      }
      return new String(text, StandardCharsets.UTF_8);
    }
  }

  /** The pictures to be changed, under either of the names that clients use. */
  List<byte[]> pictures() {
    List<byte[]> all = new ArrayList<>(files.getOrDefault("image", List.of()));
    all.addAll(files.getOrDefault("image[]", List.of()));
    return all;
  }

  List<byte[]> masks() {
    return files.getOrDefault("mask", List.of());
  }

  /** What the parser wants to know of a request. */
  private record Posted(InputStream body, String type) implements RequestContext {

    @Override
    public String getCharacterEncoding() {
      return StandardCharsets.UTF_8.name();
    }

    @Override
    public long getContentLength() {
      return -1;
    }

    @Override
    public String getContentType() {
      return type;
    }

    @Override
    public InputStream getInputStream() {
      return body;
    }

    @Override
    public boolean isMultipartRelated() {
      return false;
    }
  }

  /** The library's parser, used for its iterator alone. */
  private static final class Parser
      extends AbstractFileUpload<RequestContext, DiskFileItem, DiskFileItemFactory> {

    @Override
    public FileItemInputIterator getItemIterator(RequestContext request)
        throws FileUploadException, IOException {
      return super.getItemIterator(request);
    }

    @Override
    public Map<String, List<DiskFileItem>> parseParameterMap(RequestContext request)
        throws FileUploadException {
      return super.parseParameterMap(request);
    }

    @Override
    public List<DiskFileItem> parseRequest(RequestContext request) throws FileUploadException {
      return super.parseRequest(request);
    }
  }
}
