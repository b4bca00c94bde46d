package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Map;

/** Accounts of the social network and who follows whom. */
record SocialAccounts() implements Family {

  private static final int MOST_SHOWN = 200;

  /** Coprime with the size of the crowd, so that stepping by it meets no account twice. */
  private static final int STRIDE = 97;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /social/user", ask -> Answers.plain(Person.of(ask.text("handle")).profile()),
        "GET /social/user/followers", ask -> circle(ask, "followers"),
        "GET /social/user/following", ask -> circle(ask, "following"),
        "GET /search/social/people", SocialAccounts::search);
  }

  private static Fields circle(Ask ask, String kind) {
    Person person = Person.of(ask.text("handle"));
    List<Person> others = Person.CROWD.stream().filter(other -> !other.equals(person)).toList();
    int first = Seeded.of(kind, person.handle()).index(others.size());
    int count = (int) Math.min(MOST_SHOWN, person.followers());
    return Answers.cursorPage(
        ask,
        count,
        index -> others.get(Math.floorMod(first + index * STRIDE, others.size())).profile());
  }

  private static Fields search(Ask ask) {
    List<Person> found =
        Person.CROWD.stream().filter(person -> person.matches(ask.text("q"))).toList();
    return Answers.cursorPage(ask, found.size(), index -> found.get(index).profile());
  }
}
