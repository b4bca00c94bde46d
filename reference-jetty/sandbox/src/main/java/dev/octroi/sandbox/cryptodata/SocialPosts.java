package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Posts of the social network and the answers to them. */
record SocialPosts(World world) implements Family {

  private static final int POSTS = 120;
  private static final int SEARCHED_EACH = 10;
  private static final int SEARCHED_AUTHORS = 60;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /social/tweets", this::byId,
        "GET /social/tweet/replies", this::replies,
        "GET /social/user/posts", ask -> of(ask, 0),
        "GET /social/user/replies", ask -> of(ask, POSTS),
        "GET /search/social/posts", this::search);
  }

  private Fields byId(Ask ask) {
    List<Fields> found =
        ask.list("ids").stream().flatMap(id -> Post.find(id).stream()).map(Post::shown).toList();
    if (found.isEmpty()) {
      throw Refusal.notFound("Tweet");
    }
    return Answers.page(ask, found);
  }

  private Fields replies(Ask ask) {
    Post post = Post.find(ask.text("tweet_id")).orElseThrow(() -> Refusal.notFound("Tweet"));
    int count = (int) Seeded.of("replies", post.id()).whole(25, 70);
    return Answers.cursorPage(ask, count, index -> reply(post, index).shown());
  }

  private static Post reply(Post post, int index) {
    int author = Seeded.of("reply", post.id(), index).index(Person.CROWD.size());
    return new Post(author, post.time() + 60L + index * 37L);
  }

  /** Replies are posts further back in the account's history. */
  private Fields of(Ask ask, int skipped) {
    int author = Person.CROWD.indexOf(Person.of(ask.text("handle")));
    return Answers.cursorPage(
        ask, POSTS, index -> Post.of(author, world.now(), skipped + index).shown());
  }

  private Fields search(Ask ask) {
    String wanted = ask.text("q").toLowerCase(Locale.ROOT);
    List<Post> found =
        IntStream.range(0, SEARCHED_AUTHORS * SEARCHED_EACH)
            .mapToObj(at -> Post.of(at / SEARCHED_EACH, world.now(), at % SEARCHED_EACH))
            .filter(post -> post.text().toLowerCase(Locale.ROOT).contains(wanted))
            .sorted((left, right) -> Long.compare(right.time(), left.time()))
            .toList();
    return Answers.cursorPage(ask, found.size(), index -> found.get(index).shown());
  }
}
