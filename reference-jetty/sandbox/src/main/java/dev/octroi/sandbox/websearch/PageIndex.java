package dev.octroi.sandbox.websearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Full-text search of the corpus: BM25 over titles, texts and addresses. Thread-safe. */
final class PageIndex {

  private static final float TITLE = 2;

  /** BM25 has no upper end, the vendor's scores have one: a score of this is half way there. */
  private static final double HALF = 6;

  /** What weighs less than this share of the best page is not on the same subject. */
  private static final double RELATED = 0.2;

  /**
   * A page that was found.
   *
   * @param weight more than 0
   */
  record Hit(Page page, double weight) {

    /** More than 0, less than 1. */
    double score() {
      return weight / (weight + HALF);
    }
  }

  private final List<Page> pages;
  private final Words words;
  private final IndexSearcher searcher;

  /** Builds the index, in some milliseconds. */
  PageIndex(List<Page> pages, Words words) {
    this.pages = pages;
    this.words = words;
    try {
      ByteBuffersDirectory directory = new ByteBuffersDirectory();
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig(words.analyzer()))) {
        for (Page page : pages) {
          writer.addDocument(document(page));
        }
        // One segment keeps the documents' numbers those of the list.
        writer.forceMerge(1);
      }
      this.searcher = new IndexSearcher(DirectoryReader.open(directory));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static Document document(Page page) {
    Document document = new Document();
    document.add(new TextField("title", page.title(), Field.Store.NO));
    document.add(new TextField("text", page.text(), Field.Store.NO));
    document.add(new TextField("address", address(page), Field.Store.NO));
    document.add(new LongPoint("published", page.published().toEpochMilli()));
    if (page.category() != null) {
      document.add(new StringField("category", page.category(), Field.Store.NO));
    }
    return document;
  }

  /** The words of a page's address and its kind: they say what site it is on. */
  private static String address(Page page) {
    return page.url().replaceFirst("^https?:/+", "").replaceAll("[^\\p{L}\\p{N}]+", " ")
        + (page.category() == null ? "" : " " + page.category());
  }

  /** The pages that have any of a text's words, the best first. */
  List<Hit> search(String text, Wanted wanted, int most) {
    Set<String> terms = words.of(text);
    if (terms.isEmpty()) {
      return List.of();
    }
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (String term : terms) {
      any.add(new BoostQuery(new TermQuery(new Term("title", term)), TITLE), Occur.SHOULD);
      any.add(new TermQuery(new Term("text", term)), Occur.SHOULD);
      any.add(new BoostQuery(new TermQuery(new Term("address", term)), TITLE), Occur.SHOULD);
    }
    return found(filtered(any.build(), wanted), most);
  }

  /**
   * Of pages that were found, the best first, those on the subject of the best: they have at least
   * half of the words that the best one shares with the text. Other words of the text do not count.
   */
  List<Hit> related(String text, List<Hit> found) {
    if (found.isEmpty()) {
      return found;
    }
    Hit best = found.get(0);
    Set<String> subject = shared(words.of(text), best.page());
    return found.stream()
        .filter(hit -> hit.weight() >= RELATED * best.weight())
        .filter(hit -> 2 * shared(subject, hit.page()).size() >= subject.size())
        .toList();
  }

  private Set<String> shared(Set<String> wanted, Page page) {
    Set<String> there = words.of(String.join(" ", page.title(), address(page), page.text()));
    there.retainAll(wanted);
    return there;
  }

  private static Query filtered(Query query, Wanted wanted) {
    BooleanQuery.Builder all = new BooleanQuery.Builder().add(query, Occur.MUST);
    wanted
        .category()
        .ifPresent(word -> all.add(new TermQuery(new Term("category", word)), Occur.FILTER));
    long from = wanted.from().map(time -> time.toEpochMilli()).orElse(Long.MIN_VALUE);
    long to = wanted.to().map(time -> time.toEpochMilli()).orElse(Long.MAX_VALUE);
    all.add(LongPoint.newRangeQuery("published", from, to), Occur.FILTER);
    return all.build();
  }

  private List<Hit> found(Query query, int most) {
    List<Hit> hits = new ArrayList<>();
    try {
      for (ScoreDoc found : searcher.search(query, most).scoreDocs) {
        hits.add(new Hit(pages.get(found.doc), found.score));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return hits;
  }
}
