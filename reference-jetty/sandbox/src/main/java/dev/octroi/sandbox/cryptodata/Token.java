package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A coin of the sandbox's world.
 *
 * @param middle the price in USD around which it moves
 * @param volatility how far, as an exponent
 * @param maxSupply 0 for none
 * @param contract where it lives on its chain
 */
record Token(
    String symbol,
    String name,
    String slug,
    String chain,
    double middle,
    double volatility,
    double supply,
    double maxSupply,
    List<String> categories,
    String contract) {

  static final List<Token> ALL = Table.rows("tokens.txt", Token::row);

  private static Token row(String[] cells) {
    String contract =
        cells[9].isEmpty() ? Seeded.of("token", cells[0], "contract").address() : cells[9];
    return new Token(
        cells[0],
        cells[1],
        cells[2],
        cells[3],
        Double.parseDouble(cells[4]),
        Double.parseDouble(cells[5]),
        Double.parseDouble(cells[6]),
        Double.parseDouble(cells[7]),
        Table.words(cells[8]),
        contract);
  }

  /** The token of a symbol; a magic value stands for the first one. */
  static Token of(String symbol) {
    return find(symbol).orElseThrow(() -> Refusal.notFound("Symbol"));
  }

  static Optional<Token> find(String symbol) {
    String wanted = symbol.toUpperCase(Locale.ROOT);
    return ALL.stream()
        .filter(token -> token.symbol.equals(wanted))
        .findFirst()
        .or(() -> Magic.in(symbol).map(magic -> ALL.get(0)));
  }

  /** The token at a contract address; any other address has one of its own, seeded by it. */
  static Token at(String address) {
    String wanted = address.toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(token -> token.contract.equals(wanted))
        .findFirst()
        .orElseGet(() -> unlisted(address));
  }

  private static Token unlisted(String address) {
    Seeded seeded = Seeded.of("token", address);
    String symbol = "T" + seeded.hex(3).toUpperCase(Locale.ROOT);
    return new Token(
        symbol,
        "Token " + symbol,
        "token-" + symbol.toLowerCase(Locale.ROOT),
        "ethereum",
        seeded.skewed(0.0001, 50, 6),
        0.8,
        seeded.skewed(1e6, 1e10, 0),
        0,
        List.of(),
        address);
  }

  String id() {
    return Seeded.of("project", slug).uuid();
  }

  String image() {
    return "https://images.example/tokens/" + slug + ".png";
  }
}
