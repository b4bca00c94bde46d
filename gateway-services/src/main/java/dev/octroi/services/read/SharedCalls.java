package dev.octroi.services.read;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One upstream call for identical concurrent reads. Each reader keeps its own deadline; the call is
 * cancelled when the last of them has left; nothing outlives the call, so a failure is shared by
 * those who waited and by no later reader. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // those of watchers, which have nothing to say
final class SharedCalls {

  private static final class Call {
    final CompletableFuture<CompletableFuture<Answer>> begun = new CompletableFuture<>();
    final CompletableFuture<Answer> answer = begun.thenCompose(call -> call);
    int readers;
  }

  private final ConcurrentHashMap<ReadKey, Call> calls = new ConcurrentHashMap<>();

  /**
   * The answer of the call that is under way for the key, or of a new one.
   *
   * @param begin starts the call; run outside of any lock
   */
  Answer join(ReadKey key, Deadline deadline, Supplier<CompletableFuture<Answer>> begin) {
    Call mine = new Call();
    Call call = calls.compute(key, (same, running) -> joined(running == null ? mine : running));
    if (call == mine) {
      begin(key, mine, begin);
    }
    return Waiting.until(deadline, call.answer, () -> leave(key, call));
  }

  private static Call joined(Call call) {
    call.readers++;
    return call;
  }

  private void begin(ReadKey key, Call call, Supplier<CompletableFuture<Answer>> begin) {
    try {
      CompletableFuture<Answer> running = begin.get();
      running.whenComplete((answer, error) -> calls.remove(key, call));
      call.begun.complete(running);
    } catch (RuntimeException refused) {
      calls.remove(key, call);
      call.begun.completeExceptionally(refused);
    }
  }

  private void leave(ReadKey key, Call call) {
    boolean[] last = new boolean[1];
    calls.computeIfPresent(key, (same, running) -> left(running, call, last));
    if (last[0]) {
      call.begun.thenAccept(running -> running.cancel(true));
    }
  }

  /** Counts one reader out; null, which removes it, for a call without any. */
  private static @Nullable Call left(Call running, Call call, boolean[] last) {
    if (running != call) {
      return running;
    }
    call.readers--;
    last[0] = call.readers == 0;
    return last[0] ? null : call;
  }
}
