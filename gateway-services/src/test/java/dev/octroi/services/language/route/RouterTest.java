package dev.octroi.services.language.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.catalogue.CatalogueFile;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.route.Router.Candidate;
import dev.octroi.services.language.route.Router.Demand;
import dev.octroi.services.language.route.Router.RequestTraits;
import dev.octroi.services.language.route.Router.Route;
import dev.octroi.services.language.route.Router.RoutePlan;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.TokenCounter.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCounter.Picture;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

  private static final String FILE =
      """
      {"models": [
       %s, "id": "grand", "context_window": 200000, "max_output": 9000, "tiers": ["premium"],
        "input": ["image", "document"], "abilities": ["tools", "reasoning"],
        "prices": {"input": 10, "output": 50}, "fallbacks": ["good", "dear", "small", "gone"]},
       %s, "id": "good", "context_window": 100000, "max_output": 8000, "tiers": ["standard"],
        "input": ["image"], "abilities": ["tools", "reasoning"],
        "prices": {"input": 3, "output": 15}},
       %s, "id": "small", "context_window": 20000, "max_output": 4000, "tiers": ["eco", "search"],
        "abilities": ["tools"], "prices": {"input": 1, "output": 5}},
       %s, "id": "tiny", "context_window": 10000, "max_output": 2000, "tiers": ["eco"],
        "prices": {"input": 0.1, "output": 0.5}},
       %s, "id": "gift", "context_window": 10000, "max_output": 2000, "tiers": ["free"],
        "prices": {"input": 0, "output": 0}},
       %s, "id": "dear", "context_window": 200000, "max_output": 9000,
        "prices": {"input": 100, "output": 500}},
       %s, "id": "unpriced", "context_window": 200000, "max_output": 9000, "tiers": ["premium"]},
       %s, "id": "gone", "context_window": 200000, "max_output": 9000, "tiers": ["premium"],
        "prices": {"input": 1, "output": 1}, "retired": "2026-01-01"}
      ]}
      """
          .replace(
              "%s",
              "{\"vendor\": \"v\", \"upstream\": \"u\", \"protocol\": \"chat\","
                  + " \"released\": \"2025-01-01\"");

  private static final Predicate<Model> ANY = model -> true;
  private static final TokenCounter COUNTER = new TokenCounter();

  private final Router router = router(false);

  @ParameterizedTest
  @CsvSource({
    "auto/best, Hello, small",
    "auto/best, Please fix ``` x ```, good",
    "auto/best, Prove it step by step, good",
    "auto/best, 'Prove it: ``` x ```', grand",
    "auto/eco, Hello, tiny",
    "auto/eco, 'Prove it: ``` x ```', tiny",
    "auto/premium, Hello, grand",
    "auto/free, Hello, gift",
    "auto/search, Hello, small",
    "good, Hello, good",
    "v/good, Hello, good"
  })
  @Tag("spec:language.routes")
  void aRouteChoosesByItsRule(String name, String task, String model) {
    assertThat(router.plan(name, text(task), ANY).first().model().id()).isEqualTo(model);
  }

  @Test
  void whatARequestNeedsNarrowsTheChoice() {
    CountedPrompt tools = new CountedPrompt(List.of("hi"), 1, 1, List.of(), 0);
    CountedPrompt picture = new CountedPrompt(List.of("hi"), 1, 0, List.of(Picture.UNKNOWN), 0);
    CountedPrompt document = new CountedPrompt(List.of("hi"), 1, 0, List.of(), 1);

    assertThat(first("auto/eco", RequestTraits.of(tools, "hi", 0, 1, false))).isEqualTo("small");
    assertThat(first("auto/best", RequestTraits.of(picture, "hi", 0, 1, false))).isEqualTo("good");
    assertThat(first("auto/best", RequestTraits.of(document, "hi", 0, 1, false)))
        .isEqualTo("grand");
    assertThat(first("auto/best", RequestTraits.of(CountedPrompt.of("hi"), "hi", 0, 1, true)))
        .isEqualTo("good");
    assertThat(first("auto/eco", RequestTraits.of(CountedPrompt.of("hi"), "hi", 3000, 1, false)))
        .isEqualTo("small");
    assertFails(
        () -> router.plan("auto/eco", RequestTraits.of(picture, "hi", 0, 1, false), ANY),
        ErrorCode.MODEL_NOT_FOUND);
  }

  @Test
  void aLongRequestGoesWhereItSurelyFits() {
    assertThat(first("auto/best", text("a b ".repeat(3_000)))).isEqualTo("small");
    assertThat(first("auto/best", text("a b ".repeat(6_000)))).isEqualTo("good");
    assertThat(first("auto/best", text("a b ".repeat(40_000)))).isEqualTo("grand");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiny", "auto/eco", "auto/free"})
  @Tag("spec:error.chat.context")
  void whatExceedsTheWindowIs400(String name) {
    assertFails(
        () -> router.plan(name, text("a b ".repeat(700_000)), ANY),
        ErrorCode.CONTEXT_LENGTH_EXCEEDED);
  }

  @Test
  void outputCountsAgainstTheWindow() {
    RequestTraits much = RequestTraits.of(CountedPrompt.of("hi"), "hi", 10_001, 1, false);

    assertFails(() -> router.plan("tiny", much, ANY), ErrorCode.CONTEXT_LENGTH_EXCEEDED);
  }

  @Test
  void theQuoteCountsInputByItsBoundAndOutputByItsLimit() {
    CountedPrompt prompt = CountedPrompt.of("x".repeat(960));
    Candidate stated =
        router.plan("good", RequestTraits.of(prompt, "", 100, 1, false), ANY).first();
    Candidate silent = router.plan("good", RequestTraits.of(prompt, "", 0, 1, false), ANY).first();

    assertThat(stated.quote().micros()).isEqualTo(3 * 1_000 + 15 * 100);
    assertThat(silent.quote().micros()).isEqualTo(3 * 1_000 + 15 * 8_000);
    assertThat(stated.maxOutput()).isEqualTo(100);
    assertThat(silent.maxOutput()).isEqualTo(8_000);
    assertThat(stated.target()).isEqualTo(new Target("good", 100, Set.of()));
  }

  /** A few bytes hold any number of pages and words; no model reads more than its window. */
  @Test
  void aDocumentIsQuotedAtTheWindow() {
    CountedPrompt prompt = new CountedPrompt(List.of("hi"), 1, 0, List.of(), 1);
    Candidate quoted =
        router.plan("grand", RequestTraits.of(prompt, "", 100, 1, false), ANY).first();
    Candidate least =
        router
            .plan("grand", RequestTraits.of(CountedPrompt.of("hi"), "", 100, 1, false), ANY)
            .first();

    long input = quoted.quote().rates().input();
    assertThat(quoted.quote().micros())
        .isEqualTo((200_000 * input + 100 * quoted.quote().rates().output()) / 1_000_000)
        .isGreaterThan(100 * least.quote().micros());
  }

  @Test
  @Tag("spec:language.fallback")
  void onlyModelsThatCostNoMoreTakeAnothersPlace() {
    RoutePlan plan = router.plan("grand", text("Hello"), ANY);

    assertThat(ids(plan)).containsExactly("grand", "good", "small");
    assertThat(plan.candidates())
        .allMatch(candidate -> candidate.quote().micros() <= plan.quote().micros());
    assertThat(ids(router.plan("auto/best", text("Hello"), ANY))).containsExactly("small", "tiny");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "auto/", "auto/fastest", "AUTO/BEST", "none"})
  void whatIsNoRouteAndNoModelIs400(String name) {
    assertFails(() -> router.plan(name, text("hi"), ANY), ErrorCode.MODEL_NOT_FOUND);
  }

  @Test
  void bareAutoIsTheBestRouteWhereItIsAllowed() {
    assertThat(router(true).plan("auto", text("hi"), ANY).first().model().id()).isEqualTo("small");
  }

  @Test
  void aRouteAndTheFallbacksLeaveOutWhatIsNotThereOrCannotDoIt() {
    Predicate<Model> others = model -> !model.id().equals("small");

    assertThat(ids(router.plan("auto/best", text("Hello"), others))).doesNotContain("small");
    assertThat(ids(router.plan("grand", text("Hello"), others))).doesNotContain("small");
  }

  @Test
  void aModelWithoutAPriceIs503() {
    assertFails(() -> router.plan("unpriced", text("hi"), ANY), ErrorCode.PRICE_UNAVAILABLE);
  }

  @ParameterizedTest
  @EnumSource(Route.class)
  void theStandardCatalogueHasAModelForEachRoute(Route route) {
    Router standard = new Router(CatalogueFile.standard(Clock.systemUTC()), COUNTER, false);

    assertThat(standard.plan(route.id(), text("Hello"), ANY).candidates()).isNotEmpty();
  }

  @Test
  void demandIsTheSumOfItsSigns() {
    assertThat(Demand.of(text("Hello"))).isEqualTo(Demand.SIMPLE);
    assertThat(Demand.of(text("int x = 1;"))).isEqualTo(Demand.ORDINARY);
    assertThat(Demand.of(text("def f(x):\n  prove"))).isEqualTo(Demand.HARD);
    assertThat(Demand.of(text("a ".repeat(200_000)))).isEqualTo(Demand.ORDINARY);
    assertThat(Demand.of(text("x\n".repeat(100) + "```"))).isEqualTo(Demand.ORDINARY);
  }

  private static RequestTraits text(String task) {
    return RequestTraits.of(CountedPrompt.of(task), task, 0, 1, false);
  }

  private String first(String name, RequestTraits traits) {
    return router.plan(name, traits, ANY).first().model().id();
  }

  private static List<String> ids(RoutePlan plan) {
    return plan.candidates().stream().map(candidate -> candidate.model().id()).toList();
  }

  private static Router router(boolean bare) {
    return new Router(
        CatalogueFile.read(FILE.getBytes(StandardCharsets.UTF_8), Clock.systemUTC()),
        COUNTER,
        bare);
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }
}
