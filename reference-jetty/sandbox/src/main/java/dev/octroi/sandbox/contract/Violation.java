package dev.octroi.sandbox.contract;

import java.util.List;

/**
 * Why a contract refuses a request. Each vendor words it in its own shape.
 *
 * @param where the header, path, query or body; the last for what is wrong with the whole
 * @param name members from the outermost, with the number of each element of a list; empty for what
 *     is wrong with the whole
 * @param message a sentence without its subject: {@code must be one of asc, desc}
 */
public record Violation(Kind kind, Where where, List<String> name, String message)
    implements Checked {

  /** What is wrong. */
  public enum Kind {
    /** No credential of the vendor's form. */
    UNAUTHORIZED,
    /** No such path. */
    NO_PATH,
    /** The path is there, and the method is another one. */
    NO_METHOD,
    /** A body of another media type, or one that cannot be read. */
    UNREADABLE,
    /** The vendor does not know it. */
    UNKNOWN,
    /** The vendor insists on it. */
    MISSING,
    /** Of another type. */
    TYPE,
    /** Of the type, but none of the words, or not of the form. */
    VALUE,
    /** A number, a length or a size that is out of bounds. */
    BOUND,
    /** What is given does not go together. */
    COMBINATION
  }

  /** In which part of the request. */
  public enum Where {
    HEADER,
    PATH,
    QUERY,
    BODY
  }

  public Violation {
    name = List.copyOf(name);
  }

  /** The name with dots between its parts: {@code messages.0.content}. */
  public String dotted() {
    return String.join(".", name);
  }

  /** The whole sentence: {@code order must be one of asc, desc}. */
  public String sentence() {
    return name.isEmpty() ? message : dotted() + " " + message;
  }
}
