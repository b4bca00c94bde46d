package dev.octroi.api.image;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.ImageRunner.PictureShelf;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Usd;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.LanguageJson;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;

/**
 * Jobs as callers are told of them (specification, image records).
 *
 * @param base the address below which the world reaches the application
 */
record JobAnswers(PictureShelf shelf, String base) {

  private static final int PENDING = 202;
  private static final String PAUSE = "3";

  /** What the pictures cost was paid before. */
  static final String AGAIN = "already_settled";

  private static final String PATH = "/v1/images/generations/";

  /** What the caller that asks for the job pays with, or has paid with. */
  record Paid(String status, String transaction, String network) {}

  static Failure unknown() {
    return new Failure(ErrorCode.NOT_FOUND, "There is no such job, or no more");
  }

  /** For who orders it once more with the same payment: pictures are for those who poll. */
  Response known(ImageJob job) {
    return job.state() == JobState.FAILED ? failed(job) : pending(job);
  }

  /** 202, for a job that goes on; nothing is charged. */
  Response pending(ImageJob job) {
    JobState shown = job.state().isRunning() ? job.state() : JobState.IN_PROGRESS;
    ObjectNode body = head(job).put("status", shown.word()).put("payment_status", "verified");
    body.put("created", job.created().getEpochSecond())
        .put("poll_url", URI.create(base).getRawPath() + PATH + job.name());
    progress(body, job);
    return uncharged(Response.status(PENDING), body).header(HttpHeaders.RETRY_AFTER, PAUSE).build();
  }

  /** 200 and nothing charged, for a job that came to nothing. */
  Response failed(ImageJob job) {
    ObjectNode body = head(job).put("created", job.created().getEpochSecond());
    JobResult.Reason reason = job.result().error();
    if (reason == null) {
      throw new IllegalStateException("a failed job says why");
    }
    body.putObject("error").put("code", reason.code()).put("message", reason.message());
    body.put("retryable", reason.retryable()).put("payment_status", "not_charged");
    progress(body, job);
    return uncharged(Response.ok(), body).build();
  }

  /** 200 with the pictures. */
  Response completed(ImageJob job, ArrayNode pictures, Paid paid) {
    ObjectNode body = head(job).put("created", job.created().getEpochSecond());
    body.set("data", pictures);
    progress(body, job);
    body.putObject("payment")
        .put("status", paid.status())
        .put("tx_hash", paid.transaction())
        .put("network", paid.network());
    Response.ResponseBuilder response =
        paid.status().equals(AGAIN) ? uncharged(Response.ok(), body) : answer(Response.ok(), body);
    return response.build();
  }

  private static ObjectNode head(ImageJob job) {
    Usd price = job.terms().price();
    ObjectNode body =
        LanguageJson.object()
            .put("id", job.name())
            .put("object", "image.generation.job")
            .put("status", job.state().word())
            .put("model", job.terms().model())
            .put("size", job.terms().size())
            .put("n", job.terms().n());
    body.putObject("price").put("amount", price.dollars()).put("currency", "USD");
    return body;
  }

  private void progress(ObjectNode body, ImageJob job) {
    if (!job.result().progress().isEmpty()) {
      ArrayNode all = body.putArray("partial_images");
      job.result()
          .progress()
          .forEach(kept -> all.addObject().put("url", shelf.address(base, kept)));
    }
  }

  private static Response.ResponseBuilder uncharged(Response.ResponseBuilder to, ObjectNode body) {
    return answer(to, body).header(Payment.UNCHARGED, "true");
  }

  static Response.ResponseBuilder answer(Response.ResponseBuilder to, ObjectNode body) {
    return to.entity(LanguageJson.bytes(body))
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
