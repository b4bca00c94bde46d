package dev.octroi.api.image;

import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.services.images.Images.ImageOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Rows of jobs: how they are written and read. */
record JobRows(JobSeal seal) {

  private static final String INSERT =
      """
      INSERT INTO image_job (id, owner, place, state, attempt, node, epoch, model, size, pictures, price,
        request, envelope, ordered, ordered_for, payment, paid_for, network, created_at, expires_at)
      VALUES (:id, :owner, :place, 'QUEUED', 0, :node, :epoch, :model, :size, :pictures, :price,
        :request, :envelope, :ordered, :for, :ordered, :for, :network, :now, :until)
      """;

  private static final String PLACES =
      "SELECT place FROM image_job WHERE owner = :owner AND place IS NOT NULL";

  /** All but the request, which is large and needed only to run it. */
  static final String SELECT =
      """
      SELECT id, owner, state, attempt, lost, node, epoch, model, size, pictures, price, envelope,
        result, ordered, ordered_for, payment, paid_for, network, settled_at, created_at
      FROM image_job
      """;

  void insert(Handle handle, UUID id, JobTerms.Order order, int place, Owner by, Life life) {
    JobTerms terms = order.terms();
    handle
        .createUpdate(INSERT)
        .bind("id", id)
        .bind("owner", terms.owner())
        .bind("place", place)
        .bind("node", by.node())
        .bind("epoch", by.epoch())
        .bind("model", terms.model())
        .bind("size", terms.size())
        .bind("pictures", terms.n())
        .bind("price", terms.price().micros())
        .bind("request", seal.request(id, order.request()))
        .bind("envelope", seal.envelope(id, order.envelope()))
        .bind("ordered", terms.ordered().payment())
        .bind("for", terms.ordered().request())
        .bind("network", terms.network())
        .bind("now", life.from())
        .bind("until", life.until())
        .execute();
  }

  /** From when to when a job may be asked for. */
  record Life(Instant from, Instant until) {}

  /** The places of an owner that are taken. */
  List<Integer> places(Handle handle, String owner) {
    return handle.createQuery(PLACES).bind("owner", owner).mapTo(Integer.class).list();
  }

  Optional<ImageJob> find(Handle handle, UUID id) {
    return handle
        .createQuery(SELECT + " WHERE id = :id")
        .bind("id", id)
        .map((row, context) -> job(row))
        .findOne();
  }

  Optional<ImageJob> ordered(Handle handle, PaymentUse use) {
    return handle
        .createQuery(SELECT + " WHERE ordered = :payment AND ordered_for = :for")
        .bind("payment", use.payment())
        .bind("for", use.request())
        .map((row, context) -> job(row))
        .findOne();
  }

  /** Sealed. */
  byte[] request(Handle handle, UUID id) {
    return handle
        .createQuery("SELECT request FROM image_job WHERE id = :id")
        .bind("id", id)
        .mapTo(byte[].class)
        .one();
  }

  ImageJob job(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    JobState state = JobState.valueOf(row.getString("state"));
    JobResult result = seal.openResult(id, row.getBytes("result"));
    return new ImageJob(
        id,
        terms(row),
        state == JobState.COMPLETED && result.error() != null ? JobState.FAILED : state,
        row.getInt("attempt"),
        row.getInt("lost"),
        runner(row),
        result,
        new PaymentUse(row.getObject("payment", UUID.class), row.getString("paid_for")),
        row.getString("network"),
        seal.openEnvelope(id, row.getBytes("envelope")),
        row.getObject("settled_at") != null,
        NamedStatements.instant(row, "created_at").orElseThrow());
  }

  private static JobTerms terms(ResultSet row) throws SQLException {
    return new JobTerms(
        row.getString("owner"),
        row.getString("model"),
        row.getString("size"),
        row.getInt("pictures"),
        new Usd(row.getLong("price")),
        row.getString("network"),
        new PaymentUse(row.getObject("ordered", UUID.class), row.getString("ordered_for")));
  }

  private static Optional<Owner> runner(ResultSet row) throws SQLException {
    String node = row.getString("node");
    return node == null ? Optional.empty() : Optional.of(new Owner(node, row.getLong("epoch")));
  }

  /**
   * What was agreed when a job was ordered; it does not change.
   *
   * @param owner who may ask for it
   * @param model the public id
   * @param size such as {@code 1024x1024}
   * @param n pictures
   * @param price of all of them
   * @param network that it was to be paid on
   * @param ordered the payment that came with it
   */
  record JobTerms(
      String owner,
      String model,
      String size,
      int n,
      Usd price,
      String network,
      PaymentUse ordered) {

    static JobTerms of(ImageOrder order, Payment payment) {
      return new JobTerms(
          payment.owner(),
          order.model().id(),
          order.quote().size().toString(),
          order.quote().n(),
          payment.quote(),
          payment.network(),
          payment.use());
    }

    /**
     * A job that is to be entered.
     *
     * @param request the body of the call; sealed in the database
     * @param envelope the payment header that came with it, if one did; sealed too
     */
    record Order(JobTerms terms, byte[] request, Optional<String> envelope) {}
  }
}
