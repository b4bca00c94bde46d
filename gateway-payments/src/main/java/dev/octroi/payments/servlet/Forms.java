package dev.octroi.payments.servlet;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.commons.fileupload2.core.AbstractFileUpload;
import org.apache.commons.fileupload2.core.DiskFileItem;
import org.apache.commons.fileupload2.core.DiskFileItemFactory;
import org.apache.commons.fileupload2.core.FileItemHeaders;
import org.apache.commons.fileupload2.core.FileItemInput;
import org.apache.commons.fileupload2.core.FileItemInputIterator;
import org.apache.commons.fileupload2.core.FileUploadException;
import org.apache.commons.fileupload2.core.RequestContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads forms out of bodies that were read already, whose length is limited. */
final class Forms {

  /** As many as servers take by default. */
  private static final int MOST_PARAMETERS = 1000;

  private static final int MOST_PARTS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Forms.class);

  private Forms() {}

  /**
   * Adds the parameters of a query or form; what cannot be decoded is left out. Throws {@link
   * CallRefused} if there are too many.
   */
  static void read(String encoded, Charset charset, Map<String, List<String>> into) {
    int count = 0;
    for (String pair : encoded.split("&")) {
      if (pair.isEmpty()) {
        continue;
      }
      count++;
      if (count > MOST_PARAMETERS) {
        throw tooMany(MOST_PARAMETERS + " parameters");
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      try {
        into.computeIfAbsent(URLDecoder.decode(name, charset), none -> new ArrayList<>())
            .add(URLDecoder.decode(value, charset));
      } catch (IllegalArgumentException e) {
        LOG.debug("A parameter has a broken escape and is left out, as servers do", e);
      }
    }
  }

  /**
   * The parts of a {@code multipart/form-data} body. Throws {@link CallRefused} if there are too
   * many.
   */
  static List<Part> parts(byte[] body, String contentType, @Nullable String charset)
      throws IOException, ServletException {
    Upload upload = new Upload();
    List<Part> parts = new ArrayList<>();
    try {
      FileItemInputIterator items = upload.getItemIterator(new Body(body, contentType, charset));
      while (items.hasNext()) {
        if (parts.size() == MOST_PARTS) {
          throw tooMany(MOST_PARTS + " parts");
        }
        FileItemInput item = items.next();
        try (InputStream in = item.getInputStream()) {
          parts.add(new MemoryPart(item, in.readAllBytes()));
        }
      }
    } catch (FileUploadException e) {
      throw new ServletException("the form cannot be read", e);
    }
    return parts;
  }

  private static CallRefused tooMany(String most) {
    return new CallRefused(HttpAnswer.error(400, "A request has at most " + most + "."));
  }

  /** The library's reader of forms; the place of its files is not used. */
  private static final class Upload
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

  private record Body(byte[] bytes, String contentType, @Nullable String charset)
      implements RequestContext {

    @Override
    public @Nullable String getCharacterEncoding() {
      return charset;
    }

    @Override
    public long getContentLength() {
      return bytes.length;
    }

    @Override
    public String getContentType() {
      return contentType;
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public boolean isMultipartRelated() {
      return false;
    }
  }

  /** A part of a form. */
  static final class MemoryPart implements Part {

    private final String name;
    private final @Nullable String file;
    private final @Nullable String type;
    private final FileItemHeaders headers;
    private final byte[] bytes;

    MemoryPart(FileItemInput item, byte[] bytes) {
      this.name = item.getFieldName();
      this.file = item.isFormField() ? null : item.getName();
      this.type = item.getContentType();
      this.headers = item.getHeaders();
      this.bytes = bytes;
    }

    /** The text of a field that is no file. */
    String text(Charset charset) {
      return new String(bytes, charset);
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public @Nullable String getContentType() {
      return type;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public @Nullable String getSubmittedFileName() {
      return file;
    }

    @Override
    public long getSize() {
      return bytes.length;
    }

    @Override
    public void write(String fileName) throws IOException {
      Files.write(Path.of(fileName), bytes);
    }

    /** Nothing is kept on disk. */
    @Override
    public void delete() {}

    @Override
    public @Nullable String getHeader(String header) {
      return headers.getHeader(header);
    }

    @Override
    public Collection<String> getHeaders(String header) {
      return list(headers.getHeaders(header));
    }

    @Override
    public Collection<String> getHeaderNames() {
      return list(headers.getHeaderNames());
    }

    private static List<String> list(Iterator<String> values) {
      List<String> all = new ArrayList<>();
      values.forEachRemaining(all::add);
      return all;
    }
  }
}
