package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An account of the sandbox's social network. */
record Person(String handle, String name, String bio, long followers) {

  private static final List<String> FIRST =
      List.of(
          "ana", "ben", "cleo", "dev", "eli", "fay", "gus", "hana", "ivo", "juno", "kai", "lena",
          "milo", "nora", "otis", "pia", "quinn", "rosa", "sven", "tara", "uma_k", "vera", "wim",
          "xena", "yuki");

  private static final List<String> LAST =
      List.of(
          "onchain", "blocks", "hodls", "reads", "builds", "trades", "stakes", "writes", "maps",
          "counts", "asks", "audits", "mints", "bridges", "farms", "votes");

  /** The accounts that answers speak of. */
  static final List<Person> KNOWN =
      Table.rows(
          "people.txt",
          cells -> new Person(cells[0], cells[1], cells[2], Long.parseLong(cells[3])));

  /** Everyone, the known ones first. */
  static final List<Person> CROWD =
      Stream.concat(
              KNOWN.stream(),
              FIRST.stream().flatMap(first -> LAST.stream().map(last -> one(first, last))))
          .toList();

  private static final Map<String, Person> BY_HANDLE =
      CROWD.stream().collect(Collectors.toMap(person -> key(person.handle), Function.identity()));

  private static final Map<String, Person> BY_ID =
      CROWD.stream().collect(Collectors.toMap(Person::id, Function.identity()));

  private static Person one(String first, String last) {
    String handle = first + "_" + last;
    String name = Character.toUpperCase(first.charAt(0)) + first.substring(1) + " " + last;
    long followers = Seeded.of("followers", handle).whole(40, 60_000);
    return new Person(handle, name, "Thinks about networks; " + last + " a lot.", followers);
  }

  /** The account of a handle or id; a magic value stands for the first one. */
  static Person of(String text) {
    if (Magic.in(text).isPresent()) {
      return CROWD.get(0);
    }
    Person found = BY_HANDLE.getOrDefault(key(text), BY_ID.get(text));
    if (found == null) {
      throw Refusal.notFound("Account");
    }
    return found;
  }

  private static String key(String handle) {
    String plain = handle.startsWith("@") ? handle.substring(1) : handle;
    return plain.toLowerCase(Locale.ROOT);
  }

  static String idOf(String handle) {
    return Seeded.of("account", key(handle)).digits(12);
  }

  String id() {
    return idOf(handle);
  }

  String avatar() {
    return "https://images.example/people/" + handle + ".png";
  }

  boolean matches(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return key(handle).contains(wanted)
        || name.toLowerCase(Locale.ROOT).contains(wanted)
        || bio.toLowerCase(Locale.ROOT).contains(wanted);
  }

  Fields profile() {
    return Fields.of("avatar", avatar())
        .and("bio", bio)
        .and("followers_count", followers)
        .and("following_count", Seeded.of("following", handle).whole(20, 2_000))
        .and("handle", handle)
        .and("name", name)
        .and("user_id", id());
  }

  Fields author() {
    return Fields.of("avatar", avatar())
        .and("handle", handle)
        .and("name", name)
        .and("user_id", id());
  }
}
