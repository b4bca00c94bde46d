package dev.octroi.services.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * What a row's answer is made of at the vendor. Immutable.
 *
 * @param state whether the vendor has the read itself, has what it is made of, or neither
 * @param requests of the vendor; a row that is asked with one request begins with it
 * @param calls how many requests one call of the row makes at most
 * @param note what is made of the answers; of a row that is not offered, the reason
 * @param projection what is taken of the vendor's body; empty for all of it, byte for byte
 * @param computation what makes the body of several requests
 */
public record ReadSource(
    State state,
    List<Request> requests,
    int calls,
    String note,
    Optional<Projection> projection,
    Optional<Computation> computation) {

  /** How a row is come by. */
  public enum State {
    /** The vendor has it. */
    DIRECT,
    /** It is made, exactly, of what the vendor has. */
    COMPOSED,
    /** The vendor's public contract has nothing that it could be made of. */
    NOT_OFFERED
  }

  /**
   * A request of the vendor.
   *
   * @param path below its base address, venue words neutral: {@code /venue-a/wallet/{wallet}}
   * @param fixed parameters that are always sent
   */
  public record Request(String path, Map<String, String> fixed) {

    /** A request with the caller's parameters alone. */
    public static Request of(String path) {
      return new Request(path, Map.of());
    }

    private Request with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(fixed);
      more.put(name, value);
      return new Request(path, more);
    }
  }

  /** Takes a row's body out of the vendor's. Stateless. */
  @FunctionalInterface
  public interface Projection {

    /**
     * The body.
     *
     * @throws dev.octroi.services.Failure 404 where the vendor's holds nothing of what was named
     */
    JsonNode of(Arguments arguments, JsonNode body);
  }

  /** Makes a row's body of what the vendor says to several requests. Stateless. */
  @FunctionalInterface
  public interface Computation {

    /**
     * The body, in the vendor's form where the row's record is made of that.
     *
     * @param first the row's first request, with the caller's arguments
     */
    CompletableFuture<JsonNode> compute(
        Arguments arguments, UpstreamTarget first, VendorRequests vendor);
  }

  public ReadSource {
    requests = List.copyOf(requests);
  }

  /** A read that the vendor has. */
  public static ReadSource direct(String path) {
    return single(State.DIRECT, path, "");
  }

  /** A read that is one request of another of the vendor's. */
  public static ReadSource composed(String path, String note) {
    return single(State.COMPOSED, path, note);
  }

  /** A read that the vendor's public contract has not. */
  public static ReadSource notOffered(String reason) {
    return single(State.NOT_OFFERED, "", reason);
  }

  /** With the first request at another path. */
  public ReadSource at(String path) {
    return new ReadSource(
        state, List.of(new Request(path, first().fixed())), calls, note, projection, computation);
  }

  /**
   * A read that is made of several requests.
   *
   * @param calls how many at most
   */
  public static ReadSource computed(
      int calls, String note, Computation computation, String... paths) {
    return new ReadSource(
        State.COMPOSED,
        Stream.of(paths).map(Request::of).toList(),
        calls,
        note,
        Optional.empty(),
        Optional.of(computation));
  }

  private static ReadSource single(State state, String path, String note) {
    return new ReadSource(
        state, List.of(Request.of(path)), 1, note, Optional.empty(), Optional.empty());
  }

  /** With a parameter that is always sent. */
  public ReadSource with(String name, String value) {
    List<Request> changed =
        Stream.concat(
                Stream.of(first().with(name, value)), requests.subList(1, requests.size()).stream())
            .toList();
    return new ReadSource(state, changed, calls, note, projection, computation);
  }

  /** With only this taken of the vendor's body. */
  public ReadSource taking(Projection part) {
    return new ReadSource(state, requests, calls, note, Optional.of(part), computation);
  }

  /** With a remark on what a caller gets. */
  public ReadSource noting(String remark) {
    return new ReadSource(state, requests, calls, remark, projection, computation);
  }

  /** Of one request of another path instead, where a caller's arguments want it. */
  public ReadSource orAt(String path, String when) {
    return new ReadSource(
        state,
        Stream.concat(requests.stream(), Stream.of(Request.of(path))).toList(),
        calls,
        when,
        projection,
        computation);
  }

  /** Of up to so many requests where a caller's arguments need them. */
  public ReadSource orComputed(int most, String how, Computation other) {
    return new ReadSource(state, requests, most, how, projection, Optional.of(other));
  }

  public Request first() {
    return requests.get(0);
  }

  /** Whether the vendor's public contract has it, or what it is made of. */
  public boolean isOffered() {
    return state != State.NOT_OFFERED;
  }
}
