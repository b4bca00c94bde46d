package dev.octroi.sandbox.cryptodata;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Statements that callers should not get far with. None of them is written by this project. */
final class HostileSql {

  /** What a file holds that no statement may read. */
  static final String SECRET = "the key that no query reads";

  private static final String LONG = "CAST(2147483646 + x AS INT)";
  private static final String RANGE = " FROM SYSTEM_RANGE(1, 1)";
  private static final String ENDLESS_RANGE = " FROM SYSTEM_RANGE(1, 9000000000000000)";

  private HostileSql() {}

  /**
   * Those that have nothing to do with a query of the tables: the rule of the statement refuses
   * each.
   *
   * @param secret a file that holds {@link #SECRET}
   * @param target a file that is not there
   */
  static List<String> refused(Path secret, Path target) {
    return Stream.of(
            "SELECT SPACE(" + LONG + ")" + RANGE,
            "SELECT REPEAT('x', " + LONG + ")" + RANGE,
            "SELECT LPAD('x', " + LONG + ", 'y')" + RANGE,
            "SELECT RPAD('x', " + LONG + ", 'y')" + RANGE,
            "SELECT CAST('x' AS CHAR(1000000000))",
            "SELECT CAST('x' AS BINARY(1000000000))",
            "SELECT 1E2000000000 + 1",
            "SELECT ROUND(CAST(1 AS NUMERIC(100000, 99999)), 100000) * 1E99999",
            "SELECT REPLACE(REPLACE(SPACE(100000), ' ', SPACE(100000)), ' ', SPACE(1000))",
            "SELECT GROUP_CONCAT(SPACE(1000000))" + ENDLESS_RANGE,
            "SELECT LISTAGG(SPACE(1000000), ',') WITHIN GROUP (ORDER BY 1)" + ENDLESS_RANGE,
            "SELECT ARRAY_AGG(x)" + ENDLESS_RANGE,
            "SELECT JSON_ARRAYAGG(x)" + ENDLESS_RANGE,
            "SELECT JSON_OBJECTAGG(CAST(x AS VARCHAR): x)" + ENDLESS_RANGE,
            "SELECT XMLAGG" + ENDLESS_RANGE,
            "SELECT XMLTEXT(SPACE(1000000000))",
            "SELECT XMLNODE('a', NULL, SPACE(1000000000))",
            "SELECT COMPRESS(RANDOM_BYTES(1000000000))",
            "SELECT EXPAND(X'0000000001000000FF')",
            "SELECT SECURE_RAND(2147483647)",
            "SELECT HASH('SHA-512', 'x', 2147483647)",
            "SELECT ENCRYPT('AES', X'00', X'00')",
            "SELECT SOUNDEX(SPACE(1000000000))",
            "SELECT TRANSLATE(SPACE(100000), ' ', SPACE(100000))",
            "SELECT TO_CHAR(CURRENT_TIMESTAMP, SPACE(100000000))",
            "SELECT REGEXP_REPLACE('" + "a".repeat(40) + "!', '(a+)+$', 'b')",
            "SELECT REGEXP_LIKE('" + "a".repeat(40) + "!', '(a+)+$')",
            "SELECT '" + "a".repeat(40) + "!' REGEXP '(a+)+$'",
            "SELECT COUNT(*)" + ENDLESS_RANGE,
            "SELECT * FROM UNNEST(ARRAY[1, 2, 3])",
            "SELECT * FROM TABLE(x INT = ARRAY[1, 2, 3])",
            "SELECT * FROM (VALUES (1), (2)) v",
            "VALUES (1)",
            "TABLE ethereum.blocks",
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
            "WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT MAX(n) FROM r",
            "SELECT * FROM ethereum.blocks FOR UPDATE",
            "SELECT FILE_READ('" + secret + "')",
            "SELECT FILE_READ('" + secret + "', 'UTF-8')",
            "SELECT \"FILE_READ\"('" + secret + "', 'UTF-8')",
            "SELECT FILE_READ('file:" + secret + "')",
            "SELECT FILE_READ('classpath:META-INF/MANIFEST.MF')",
            "SELECT FILE_READ('http://127.0.0.1:1/')",
            "SELECT FILE_WRITE('x', '" + target + "')",
            "SELECT * FROM CSVREAD('" + secret + "')",
            "SELECT CSVWRITE('" + target + "', 'SELECT 1')",
            "SELECT * FROM LINK_SCHEMA('x', '', 'jdbc:h2:mem:', 'a', 'b', 'c')",
            "SELECT * FROM LINK_SCHEMA('x', '', 'jdbc:h2:mem:y;INIT=CREATE ALIAS R AS ''String"
                + " r() throws Exception { new java.io.File(\"\""
                + target
                + "\"\").createNewFile()\\; return null\\; }''\\;CALL R()', 'a', 'b', 'PUBLIC')",
            "CREATE ALIAS R AS 'String r() { return null; }'",
            "CREATE ALIAS R FOR \"java.lang.System.getProperty\"",
            "CREATE TRIGGER t BEFORE SELECT ON ethereum.blocks AS '//javascript'",
            "CREATE AGGREGATE a FOR \"java.lang.Runtime\"",
            "CREATE TABLE mine AS SELECT 1",
            "CREATE LOCAL TEMPORARY TABLE mine AS SELECT * FROM ethereum.blocks",
            "CREATE LINKED TABLE l('', 'jdbc:h2:mem:y', 'a', 'b', 'c')",
            "CREATE USER me PASSWORD 'me' ADMIN",
            "ALTER USER READER ADMIN TRUE",
            "ALTER USER READER SET PASSWORD 'x'",
            "GRANT ALL ON SCHEMA ethereum TO READER",
            "SCRIPT TO '" + target + "'",
            "SCRIPT",
            "RUNSCRIPT FROM '" + secret + "'",
            "BACKUP TO '" + target + "'",
            "SHUTDOWN IMMEDIATELY",
            "SHUTDOWN DEFRAG",
            "DROP ALL OBJECTS",
            "SET DB_CLOSE_DELAY 0",
            "SET MODE MySQL",
            "SET @x = 1",
            "SELECT @x := SPACE(1000)",
            "SET SCHEMA agent",
            "SET EXCLUSIVE 2",
            "CALL 1",
            "CALL FILE_READ('" + secret + "')",
            "EXPLAIN ANALYZE SELECT * FROM ethereum.blocks",
            "SHOW TABLES",
            "HELP 'SELECT'",
            "EXECUTE IMMEDIATE 'DROP TABLE ethereum.blocks'",
            "INSERT INTO ethereum.blocks (block_number) VALUES (1)",
            "UPDATE ethereum.blocks SET gas_used = 0",
            "DELETE FROM ethereum.blocks",
            "MERGE INTO ethereum.blocks (block_number) KEY (block_number) VALUES (1)",
            "TRUNCATE TABLE ethereum.blocks",
            "DROP TABLE ethereum.blocks",
            "SELECT * FROM FINAL TABLE (DELETE FROM ethereum.blocks)",
            "WITH x AS (SELECT 1) DELETE FROM ethereum.blocks",
            "SELECT 1 INTO OUTFILE '" + target + "'",
            "SELECT * FROM INFORMATION_SCHEMA.SESSIONS",
            "SELECT * FROM INFORMATION_SCHEMA.SETTINGS",
            "SELECT * FROM information_schema.\"USERS\"",
            "SELECT DB_OBJECT_SQL('TABLE', 'ethereum', 'blocks')",
            "SELECT DATABASE_PATH()",
            "SELECT MEMORY_USED()",
            "SELECT MEMORY_FREE()",
            "SELECT ABORT_SESSION(1)",
            "SELECT CANCEL_SESSION(1)",
            "SELECT LOCK_MODE(), SESSION_ID(), AUTOCOMMIT(), READONLY()",
            "SELECT H2VERSION()",
            "SELECT CURRENT_USER",
            "SELECT USER()",
            "SELECT JSON '{\"a\": 1}'",
            "SELECT JSON_OBJECT('a': SPACE(1000000000))",
            "SELECT CAST(X'ACED0005737200' AS JAVA_OBJECT)",
            "SELECT CAST('POINT (1 1)' AS GEOMETRY)",
            "SELECT X'ACED0005'",
            "SELECT 1; DROP TABLE ethereum.blocks",
            "SELECT 1;; SELECT 2",
            "/* SELECT */ DROP TABLE ethereum.blocks",
            "SELECT $$a$$; DROP TABLE ethereum.blocks; --$$",
            "SELECT /* /* */ 1 */ FILE_READ('" + secret + "')",
            "SELECT /*! FILE_READ('" + secret + "'), */ * FROM nothing",
            "SELECT 'a\\' || FILE_READ('" + secret + "') --'",
            "SELECT \"a\\\" || FILE_READ('" + secret + "') --\"",
            "SELECT [FILE_READ]('" + secret + "')",
            "SELECT `FILE_READ`('" + secret + "')",
            "SELECT U&\"\\0046ILE_READ\"('" + secret + "')",
            "SELECT U&'\\0041'",
            "SELECT {fn FILE_READ('" + secret + "')}",
            "SELECT PUBLIC.FILE_READ('" + secret + "')",
            "SELECT FILE_READ ('" + secret + "')",
            "SELECT FILE_READ\u00a0('" + secret + "')",
            "SELECT ?",
            "SELECT ?1",
            "SELECT * FROM \"nothing\u0000\"",
            "SELECT " + "(".repeat(4000) + "1" + ")".repeat(4000),
            "SELECT " + "NOT ".repeat(2400) + "TRUE",
            "SELECT 1" + "+1".repeat(4900),
            "SELECT * FROM ethereum.blocks WHERE block_number IN ("
                + "1,".repeat(4800)
                + "FILE_READ('"
                + secret
                + "'))")
        .toList();
  }

  /** Those that read the tables as callers may, and never end or take more memory than there is. */
  static List<String> bombs() {
    String doubled =
        IntStream.range(0, 40)
            .mapToObj(at -> "SELECT t || t AS t FROM (")
            .collect(Collectors.joining());
    return List.of(
        "SELECT COUNT(*) FROM ethereum.transactions a, ethereum.transactions b,"
            + " ethereum.transfers c WHERE a.gas_used + b.gas_used + c.amount_usd < 0",
        "SELECT a.hash, b.hash, c.tx_hash FROM ethereum.transactions a, ethereum.transactions b,"
            + " ethereum.transfers c ORDER BY a.hash || b.hash || c.tx_hash",
        "SELECT DISTINCT a.hash || b.hash AS h FROM base.transactions a, base.transactions b"
            + " ORDER BY h",
        "SELECT a.hash || b.hash AS h, COUNT(*) FROM base.transactions a, base.transactions b"
            + " GROUP BY a.hash || b.hash",
        "SELECT COUNT(DISTINCT a.hash || b.hash) FROM base.transactions a, base.transactions b",
        "SELECT MEDIAN(a.gas_used + b.gas_used) FROM base.transactions a, base.transactions b",
        "SELECT SUM(a.gas_used) OVER (ORDER BY b.hash) FROM base.transactions a,"
            + " base.transactions b",
        "SELECT a.hash FROM base.transactions a, base.transactions b UNION"
            + " SELECT b.hash || c.hash FROM base.transactions b, base.transactions c",
        "SELECT COUNT(*) FROM (SELECT a.hash || b.hash AS h FROM base.transactions a,"
            + " base.transactions b ORDER BY h) q",
        "SELECT COUNT(*) FROM base.transactions a WHERE EXISTS (SELECT 1 FROM base.transactions b,"
            + " base.transactions c WHERE b.gas_used + c.gas_used + a.gas_used < 0)",
        doubled + "SELECT 'xxxxxxxxxxxxxxxx' AS t" + ") q".repeat(40),
        "SELECT COUNT(*) FROM base.transactions a, base.transactions b WHERE a.hash || b.hash LIKE '"
            + "%0%1".repeat(60)
            + "%z'");
  }
}
