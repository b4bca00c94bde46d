package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Rows of the relay's tables, and what goes into them. */
final class StoredRows {

  /** Authorizations may say that they hold for ages; the database counts to a certain year. */
  private static final BigInteger LATEST =
      BigInteger.valueOf(Instant.parse("9000-01-01T00:00:00Z").getEpochSecond());

  private StoredRows() {}

  static RelayedTransaction transaction(ResultSet row) throws SQLException {
    long block = row.getLong("block");
    Long seen = row.wasNull() ? null : Long.valueOf(block);
    return new RelayedTransaction(
        Hex.of(row.getBytes("hash")),
        address(row.getBytes("relayer")),
        row.getLong("nonce"),
        TransactionState.valueOf(row.getString("state")),
        row.getLong("gas_limit"),
        new Fees(
            row.getBigDecimal("max_fee").toBigInteger(), row.getBigDecimal("tip").toBigInteger()),
        instant(row, "created_at"),
        instant(row, "sent_at"),
        instant(row, "good_until"),
        seen);
  }

  static TransferCall call(ResultSet row) throws SQLException {
    return new TransferCall(address(row.getBytes("token")), row.getBytes("call"));
  }

  static EvmAddress address(byte[] bytes) {
    return EvmAddress.parse(Hex.of(bytes));
  }

  static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  /** When the last of these authorizations ends. */
  static Instant goodUntil(List<TransferCall> calls, Instant otherwise) {
    return calls.stream().map(StoredRows::end).max(Instant::compareTo).orElse(otherwise);
  }

  /** When an authorization ends. */
  static Instant end(TransferCall call) {
    return Instant.ofEpochSecond(call.validBefore().min(LATEST).longValueExact());
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
