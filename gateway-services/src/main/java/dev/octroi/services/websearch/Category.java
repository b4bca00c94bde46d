package dev.octroi.services.websearch;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.Worded;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What kind of page is looked for (specification, web search). */
public enum Category implements Worded {
  COMPANY("company", "company"),
  RESEARCH_PAPER("research paper", "research paper"),
  NEWS("news", "news"),
  PDF("pdf", "pdf"),
  GITHUB("github", "github"),
  /** The vendor has renamed it since. */
  LINKEDIN_PROFILE("linkedin profile", "people"),
  FINANCIAL_REPORT("financial report", "financial report");

  private final String word;
  private final String vendorWord;

  Category(String word, String vendorWord) {
    this.word = word;
    this.vendorWord = vendorWord;
  }

  /**
   * The category of that word.
   *
   * @throws Failure 400 {@code invalid_params} for any other word
   */
  public static Category of(String word) {
    return Arrays.stream(values())
        .filter(category -> category.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new Failure(ErrorCode.INVALID_PARAMS, "category is one of " + words()));
  }

  private static String words() {
    return Arrays.stream(values()).map(Category::word).collect(Collectors.joining(", "));
  }

  /** As the specification calls it. */
  @Override
  public String word() {
    return word;
  }

  String vendorWord() {
    return vendorWord;
  }
}
