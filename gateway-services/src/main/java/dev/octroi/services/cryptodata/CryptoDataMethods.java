package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import dev.octroi.services.cryptodata.TableNames.Renamed;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The two POSTs of the crypto-data group. A query that runs over 30 s is 408 {@code query_timeout},
 * and the upstream is hung up on (specification, crypto data, rule 2). Thread-safe.
 */
public final class CryptoDataMethods {

  /** How long a query may run (specification, SQL execution time). */
  public static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  /** The call's own deadline began to run before the query's, and may end it first. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static final int MAX_QUESTION = 2_000;
  private static final int MAX_SOURCE = 200;
  private static final int MAX_ROWS = 10_000;
  private static final int DEFAULT_ROWS = 1_000;

  private final UpstreamClient client;
  private final QuestionTranslator translator;
  private final boolean statedRecords;
  private final Duration queryLimit;

  /**
   * @param statedRecords whether SQL answers with the stated record; otherwise as the upstream does
   */
  public CryptoDataMethods(
      UpstreamClient client, QuestionTranslator translator, boolean statedRecords) {
    this(client, translator, statedRecords, QUERY_LIMIT);
  }

  CryptoDataMethods(
      UpstreamClient client,
      QuestionTranslator translator,
      boolean statedRecords,
      Duration queryLimit) {
    this.client = client;
    this.translator = translator;
    this.statedRecords = statedRecords;
    this.queryLimit = queryLimit;
  }

  /**
   * {@code POST /onchain/sql}.
   *
   * @param body {@code {sql, max_rows?}}
   * @throws Failure 400 {@code invalid_params} or {@code sql_syntax_error}, 408 {@code
   *     query_timeout}, 502, 503
   */
  public Answer sql(byte[] body, Deadline deadline) {
    CallerBody asked = CallerBody.of(body);
    String sql = asked.requiredText("sql", SqlStatement.MAX_LENGTH);
    Renamed statement = TableNames.renamed(sql, SqlStatement.check(sql));
    byte[] query =
        UpstreamJson.bytes(
            UpstreamJson.record()
                .put("sql", statement.sql())
                .put("max_rows", asked.count("max_rows", MAX_ROWS).orElse(DEFAULT_ROWS)));
    long begun = System.nanoTime();
    UpstreamAnswer answer =
        run("/onchain/sql", query, deadline, said -> VendorErrors.ofSql(said, statement::told));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    return Answer.json(200, statedRecords ? SqlResult.of(answer, took) : rows(answer));
  }

  /**
   * {@code POST /onchain/query}. The answer is the upstream's.
   *
   * @param body {@code {question, source?, limit?}}
   * @throws Failure 400 {@code invalid_params}, 408 {@code query_timeout}, 502, 503
   */
  public Answer query(byte[] body, Deadline deadline) {
    CallerBody asked = CallerBody.of(body);
    Question question =
        new Question(
            asked.text("source", MAX_SOURCE),
            asked.requiredText("question", MAX_QUESTION),
            asked.count("limit", MAX_ROWS));
    StructuredQuery query = translator.translate(question, schema(question, deadline), deadline);
    UpstreamAnswer answer = run("/onchain/query", query.json(), deadline, VendorErrors::ofQuery);
    return Answer.json(200, rows(answer));
  }

  private UpstreamAnswer run(
      String path, byte[] query, Deadline deadline, Function<UpstreamAnswer, Failure> error) {
    Deadline limit = Deadline.in(queryLimit);
    UpstreamAnswer answer;
    try {
      answer =
          client.send(UpstreamRequest.query(path, query).ownQuery(), deadline.atMost(queryLimit));
    } catch (Failure failure) {
      boolean late =
          failure.code() == ErrorCode.UPSTREAM_FAILED && limit.remaining().compareTo(MOMENT) < 0;
      throw late ? VendorErrors.queryTimeout() : failure;
    }
    if (!answer.successful()) {
      throw error.apply(answer);
    }
    UpstreamJson.requireNoError(client, answer);
    return answer;
  }

  /** The upstream's rows as they are; no list of them is no answer. */
  private static byte[] rows(UpstreamAnswer answer) {
    UpstreamJson.listOrNull(UpstreamJson.object(answer.body()), "data");
    return answer.body();
  }

  /** The upstream's tables; without them a question that names its source can still be asked. */
  private List<SchemaTable> schema(Question question, Deadline deadline) {
    try {
      UpstreamAnswer answer =
          client.send(UpstreamRequest.get(CryptoDataRead.ONCHAIN_SCHEMA.path()), deadline);
      if (!answer.successful()) {
        throw Failures.of(answer);
      }
      return tables(answer);
    } catch (Failure unknown) {
      if (question.source().isEmpty()) {
        throw unknown;
      }
      return List.of();
    }
  }

  private static List<SchemaTable> tables(UpstreamAnswer answer) {
    List<SchemaTable> tables = new ArrayList<>();
    for (JsonNode table : UpstreamJson.tree(answer.body()).path("data")) {
      List<String> columns = new ArrayList<>();
      List<String> types = new ArrayList<>();
      for (JsonNode column : table.path("columns")) {
        columns.add(column.path("name").asText());
        types.add(column.path("type").asText(""));
      }
      String name = table.path("table").asText();
      Optional<String> database =
          Optional.of(table.path("database").asText("")).filter(text -> !text.isEmpty());
      tables.add(
          new SchemaTable(database.map(text -> text + "." + name).orElse(name), columns, types));
    }
    return tables;
  }

  /**
   * The members of a caller's JSON body, each checked as it is taken: 400 {@code invalid_params}.
   */
  private static final class CallerBody {

    private static final JsonMapper MAPPER =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final JsonNode object;

    private CallerBody(JsonNode object) {
      this.object = object;
    }

    static CallerBody of(byte[] body) {
      try {
        JsonNode tree = MAPPER.readTree(body);
        if (tree != null && tree.isObject()) {
          return new CallerBody(tree);
        }
      } catch (IOException malformed) {
        // told below
      }
      throw Failure.invalid("The body is a JSON object");
    }

    String requiredText(String name, int longest) {
      return text(name, longest).orElseThrow(() -> Failure.invalid(name + " is required"));
    }

    /** A text that is not blank. */
    Optional<String> text(String name, int longest) {
      JsonNode member = object.path(name);
      if (member.isMissingNode() || member.isNull()) {
        return Optional.empty();
      }
      if (!member.isTextual() || member.textValue().isBlank()) {
        throw Failure.invalid(name + " is a text");
      }
      if (member.textValue().length() > longest) {
        throw Failure.invalid(name + " is longer than " + longest + " characters");
      }
      return Optional.of(member.textValue());
    }

    /** An integer from 1. */
    Optional<Integer> count(String name, int most) {
      JsonNode member = object.path(name);
      if (member.isMissingNode() || member.isNull()) {
        return Optional.empty();
      }
      if (!member.isIntegralNumber()
          || !member.canConvertToInt()
          || member.intValue() < 1
          || member.intValue() > most) {
        throw Failure.invalid(name + " is an integer from 1 to " + most);
      }
      return Optional.of(member.intValue());
    }
  }
}
