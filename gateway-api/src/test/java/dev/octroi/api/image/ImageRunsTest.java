package dev.octroi.api.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.H2Database;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.FileAssets;
import dev.octroi.api.image.ImageGroup.Strays;
import dev.octroi.api.image.ImageGroup.Takeovers;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.ImageRunner.PictureShelf;
import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageCatalogueFile;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.Images;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.Images.PictureType;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that end, runs whose node is closed, and jobs that nodes die over. */
class ImageRunsTest {

  private static final byte[] PNG = {
    (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 0, 0, 0
  };
  private static final byte[] BODY =
      "{\"model\":\"provider-a/image-1\",\"prompt\":\"p\"}".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path files;
  private HikariDataSource pool;
  private JdbcLedger ledger;
  private ImageJobs jobs;
  private PictureShelf shelf;
  private final Drawing drawing = new Drawing();
  private final ImageRequests requests =
      new ImageRequests(
          ImageCatalogueFile.standard(),
          ImageCatalogueFile.standard().upstreams(),
          Clock.systemUTC());

  /** Draws when it is let. */
  private static final class Drawing implements Images {
    private final CountDownLatch let = new CountDownLatch(1);

    @Override
    public List<DrawnPicture> draw(
        ImageOrder order, Deadline deadline, Consumer<DrawnPicture> progress) {
      try {
        assertThat(let.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return List.of(new DrawnPicture.Bytes(PNG, PictureType.PNG, MissingNode.getInstance()));
    }

    @Override
    public List<DrawnPicture> edit(
        ImageEdit edit, Deadline deadline, Consumer<DrawnPicture> progress) {
      throw new UnsupportedOperationException();
    }
  }

  @BeforeEach
  void open() throws IOException {
    pool = H2Database.empty();
    AnswerVault vault = new AnswerVault(new byte[32]);
    Clock clock = Clock.systemUTC();
    ledger = new JdbcLedger(pool, vault, LedgerSettings.of("here"), clock);
    Assets assets = new Assets(new FileAssets(files), Duration.ofHours(48), 1 << 20, clock);
    FetchLimits web = new FetchLimits(Duration.ofSeconds(1), 1024, 1, 1);
    shelf = new PictureShelf(assets, new PageFetcher(web, Set.of(443), HostThreads.OF_THE_JVM));
    jobs =
        new ImageJobs(
            ledger.statements(),
            ledger.paymentStatuses(),
            new JobSeal(vault),
            ledger.outbox(),
            Duration.ofHours(48),
            4,
            clock);
  }

  @AfterEach
  void close() {
    drawing.let.countDown();
    ledger.close();
    pool.close();
  }

  private ImageRunner runner(int atOnce, Duration drain) {
    return new ImageRunner(
        drawing,
        shelf,
        jobs,
        ledger::owner,
        UnaryOperator.identity(),
        new ImageRunner.Limits(Duration.ofSeconds(60), atOnce, drain));
  }

  private ImageOrder order() {
    return requests.order(ImageBody.ofJson(BODY), false);
  }

  private ImageJob begun(Owner by) {
    JobTerms terms =
        new JobTerms(
            "0xabc",
            "provider-a/image-1",
            "1024x1024",
            1,
            new Usd(21_000),
            "eip155:84532",
            new PaymentUse(UUID.randomUUID(), "0".repeat(64)));
    ImageJob job = jobs.enter(new JobTerms.Order(terms, BODY, Optional.empty()), by).orElseThrow();
    return jobs.begin(job, by, 0).orElseThrow();
  }

  private ImageJob now(ImageJob job) {
    return jobs.find(job.id()).orElseThrow();
  }

  @Test
  void moreThanTheNodeDrawsAtOnceIsRefused() {
    try (ImageRunner runner = runner(1, Duration.ZERO)) {
      runner.start(order());
      assertThat(runner.free()).isZero();
      assertThatThrownBy(() -> runner.start(order())).isInstanceOf(Failure.class);
      drawing.let.countDown();
      await().until(() -> runner.free() == 1);
    }
  }

  @Test
  void aNodeThatIsClosedLetsRunsEnd() {
    ImageRunner runner = runner(4, Duration.ofSeconds(30));
    ImageJob job = begun(runner.life());
    runner.adopt(runner.start(order()), job);
    drawing.let.countDown();
    runner.close();
    assertThat(now(job).state()).isEqualTo(JobState.COMPLETED);
    assertThat(now(job).result().pictures()).hasSize(1);
  }

  @Test
  void aNodeThatIsClosedGivesBackWhatDoesNotEndInTime() {
    ImageRunner runner = runner(4, Duration.ofMillis(50));
    ImageJob job = begun(runner.life());
    runner.adopt(runner.start(order()), job);
    runner.close();
    assertThat(now(job).state()).isEqualTo(JobState.QUEUED);
    assertThat(now(job).runner()).isEmpty();
    assertThat(now(job).lost()).isZero();
    assertThatThrownBy(() -> runner.start(order())).isInstanceOf(Failure.class);
  }

  @Test
  void aJobGoesOnElsewhereOnceAndFailsIfThatNodeDiesToo() throws SQLException {
    Owner dead = new Owner("there", 1);
    ImageJob job = begun(dead);
    try (ImageRunner runner = runner(4, Duration.ZERO)) {
      Takeovers takeovers = new Takeovers(jobs, runner, requests);
      takeovers.run();
      ImageJob taken = now(job);
      assertThat(taken.state()).isEqualTo(JobState.IN_PROGRESS);
      assertThat(taken.attempt()).isEqualTo(2);
      assertThat(taken.lost()).isEqualTo(1);
      assertThat(taken.runner()).contains(ledger.owner());

      takeovers.run();
      assertThat(now(job).attempt()).as("its node lives").isEqualTo(2);
      change("UPDATE image_job SET node = 'there', epoch = 1");
      takeovers.run();
      ImageJob failed = now(job);
      assertThat(failed.state()).isEqualTo(JobState.FAILED);
      assertThat(failed.result().error()).isNotNull();
      assertThat(jobs.isFull("0xabc")).isFalse();
      drawing.let.countDown();
      await().until(() -> runner.free() == 4);
      assertThat(now(job).state()).as("it came too late").isEqualTo(JobState.FAILED);
    }
  }

  /** A commit of unknown outcome may leave a job to a node that does not know of it. */
  @Test
  void aJobThatItsLivingNodeDoesNotRunIsGivenBack() {
    try (ImageRunner runner = runner(4, Duration.ZERO)) {
      ImageJob stray = begun(runner.life());
      ImageJob run = begun(runner.life());
      runner.adopt(runner.start(order()), run);
      Strays strays = new Strays(jobs, runner);
      strays.run();
      assertThat(now(stray).state()).as("it may be about to run").isEqualTo(JobState.IN_PROGRESS);
      strays.run();
      assertThat(now(stray).state()).isEqualTo(JobState.QUEUED);
      assertThat(now(stray).runner()).isEmpty();
      assertThat(now(run).state()).isEqualTo(JobState.IN_PROGRESS);
      assertThat(jobs.orphans(5)).extracting(ImageJob::id).containsExactly(stray.id());
      drawing.let.countDown();
    }
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
