package dev.octroi.reference.bench;

import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.PriceSplice;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Adding the price to an answer. */
@State(Scope.Thread)
public class SpliceBench {

  @Param({"1", "100"})
  public int rows;

  /** Members named like the price make the splice look closely. */
  @Param({"volume", "price"})
  public String member;

  private byte[] json = {};

  @Setup
  public void answer() {
    String row =
        "{\"id\":\"0x1234567890abcdef\",\"" + member + "\":0.4200,\"text\":\"a \\\"b\\\"\"}";
    json =
        ("{\"markets\":[" + (row + ",").repeat(rows - 1) + row + "],\"total\":1}")
            .getBytes(StandardCharsets.UTF_8);
  }

  @Benchmark
  public byte[] splice() {
    return PriceSplice.into(json, Usd.ZERO);
  }
}
