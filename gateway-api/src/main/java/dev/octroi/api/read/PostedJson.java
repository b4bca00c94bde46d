package dev.octroi.api.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.octroi.api.group.GroupContext.CallDeadlines;
import dev.octroi.payments.Payment;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Runs methods that take a JSON body, after seeing that it is one and within limits. */
public final class PostedJson {

  private final JsonFactory json;
  private final CallDeadlines deadlines;

  /**
   * @param depth how deep a body may nest
   */
  public PostedJson(int depth, CallDeadlines deadlines) {
    this.deadlines = deadlines;
    this.json =
        JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(depth).build())
            .build();
  }

  public Response answer(
      byte[] body,
      SecurityContext security,
      Duration limit,
      BiFunction<byte[], Deadline, Answer> method) {
    check(body);
    return Answers.response(method.apply(body, deadlines.of(security, limit)));
  }

  private void check(byte[] body) {
    try (JsonParser parser = json.createParser(body)) {
      boolean any = false;
      while (parser.nextToken() != null) {
        any = true;
      }
      if (!any) {
        throw invalid(null);
      }
    } catch (IOException e) {
      throw invalid(e);
    }
  }

  private static Failure invalid(@Nullable IOException cause) {
    return new Failure(
        ErrorCode.INVALID_PARAMS, "The body is not JSON, or nests too deep.", null, cause);
  }

  /** From what an upstream said to what leaves. */
  public static final class Answers {

    private Answers() {}

    public static Response response(Answer answer) {
      Response.ResponseBuilder response =
          Response.status(answer.status())
              .entity(answer.body())
              .header(HttpHeaders.CONTENT_TYPE, answer.mediaType());
      answer.headers().forEach(response::header);
      if (!answer.charged()) {
        response.header(Payment.UNCHARGED, "true");
      }
      return response.build();
    }
  }
}
