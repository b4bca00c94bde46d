package dev.octroi.services.websearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.websearch.SearchQuery.Category;
import dev.octroi.services.websearch.SearchQuery.PublishedDate;
import dev.octroi.services.websearch.SearchQuery.SearchFilter;
import dev.octroi.services.websearch.SearchQuery.SearchTerms;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchQueryTest {

  private static final Optional<PublishedDate> DAY =
      Optional.of(PublishedDate.parse("day", "2026-01-02"));

  private static SearchFilter filter(
      String category,
      Optional<PublishedDate> from,
      Optional<PublishedDate> to,
      List<String> domains,
      List<String> excluded) {
    return new SearchFilter(Optional.of(Category.of(category)), from, to, domains, excluded);
  }

  private static String json(String category, Set<String> beyond) {
    SearchFilter filter =
        filter(category, Optional.empty(), Optional.empty(), List.of(), List.of());
    SearchQuery query =
        new SearchQuery(new SearchTerms("q"), 3, Optional.empty(), filter, ResultContents.NONE);
    return new String(query.json(beyond), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "company, company",
    "research paper, publication",
    "news, news",
    "linkedin profile, people",
    "financial report, financial report",
    "publication, publication",
    "people, people"
  })
  @Tag("spec:request.websearch.search.category")
  void aCategoryIsAskedForInTheVendorsWord(String word, String vendors) {
    assertThat(json(word, Set.of()))
        .isEqualTo("{\"query\":\"q\",\"numResults\":3,\"category\":\"" + vendors + "\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tweets", "", "News", "personal site"})
  void noOtherWordIsACategory(String word) {
    assertThatThrownBy(() -> Category.of(word))
        .isInstanceOf(Failure.class)
        .hasMessage(
            "category is one of company, research paper, news, pdf, github, linkedin profile,"
                + " financial report");
  }

  @Test
  void aCategoryThatTheVendorHasNoMoreIsAskedForBySiteOrRefused() {
    assertThat(json("github", Set.of())).contains("\"includeDomains\":[\"github.com\"]");
    assertThatThrownBy(() -> json("pdf", Set.of()))
        .isInstanceOfSatisfying(
            Failure.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
              assertThat(it).hasMessageContaining("category pdf");
            });
  }

  @Test
  void whatAVendorTakesBeyondItsContractIsAskedForAsItIs() {
    Set<String> beyond = Category.beyondContract();
    assertThat(beyond).containsExactlyInAnyOrder("pdf", "github");
    assertThat(json("github", beyond)).contains("\"category\":\"github\"");
    assertThat(json("pdf", beyond)).contains("\"category\":\"pdf\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"company", "people", "linkedin profile"})
  void peopleAndCompaniesTakeFewFiltersAndSayWhich(String category) {
    List<String> none = List.of();
    assertRefused(category, "startPublishedDate", DAY, Optional.empty(), none, none);
    assertRefused(category, "endPublishedDate", Optional.empty(), DAY, none, none);
    List<String> some = List.of("a.example");
    assertRefused(category, "excludeDomains", Optional.empty(), Optional.empty(), none, some);
  }

  @Test
  void peopleAreOfOneSite() {
    List<String> none = List.of();
    List<String> their = List.of("linkedin.com", "www.linkedin.com/in");
    filter("people", Optional.empty(), Optional.empty(), their, none);
    List<String> other = List.of("linkedin.com", "linkedin.com.example");
    assertRefused("people", "includeDomains", Optional.empty(), Optional.empty(), other, none);
    assertRefused("github", "includeDomains", Optional.empty(), Optional.empty(), other, none);
    filter("company", Optional.empty(), Optional.empty(), other, none);
  }

  @Test
  void otherCategoriesTakeEveryFilter() {
    filter("news", DAY, DAY, List.of("a.example"), List.of("b.example"));
  }

  private static void assertRefused(
      String category,
      String name,
      Optional<PublishedDate> from,
      Optional<PublishedDate> to,
      List<String> domains,
      List<String> excluded) {
    assertThatThrownBy(() -> filter(category, from, to, domains, excluded))
        .isInstanceOfSatisfying(
            Failure.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
              assertThat(it).hasMessageContaining(name);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          null                                                     | []
          false                                                    | []
          {}                                                       | []
          {"text":false,"highlights":null}                         | []
          {"text":true}                                            | [id, text]
          {"text":{"maxCharacters":10}}                            | [id, text]
          {"highlights":true}                                      | [id, highlights, highlightScores]
          {"text":{},"highlights":{"query":"q","numSentences":1}}  | [id, text, highlights, highlightScores]
          """)
  void textsAndPassagesMayComeAlong(String given, String members) throws JsonProcessingException {
    assertThat(ResultContents.read(new ObjectMapper().readTree(given)).members())
        .hasToString(members);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true                                 | contents is an object
          []                                   | contents is an object
          {"summary":true}                     | no summary
          {"livecrawl":"always"}               | no livecrawl
          {"subpages":3}                       | no subpages
          {"text":"all"}                       | contents.text is true, false or an object
          {"text":{"includeHtmlTags":true}}    | contents.text.includeHtmlTags
          {"text":{"query":"q"}}               | contents.text.query
          {"text":{"maxCharacters":0}}         | contents.text.maxCharacters is a whole number
          {"text":{"maxCharacters":"9"}}       | contents.text.maxCharacters is a whole number
          {"highlights":{"dynamic":true}}      | contents.highlights.dynamic
          {"highlights":{"query":7}}           | contents.highlights.query is a text
          {"highlights":{"numSentences":1.5}}  | contents.highlights.numSentences
          """)
  void whatTheVendorBillsBesidesOrDoesNotKnowIsRefusedByName(String given, String said) {
    assertThatThrownBy(() -> ResultContents.read(new ObjectMapper().readTree(given)))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining(said);
  }
}
