package dev.octroi.sandbox.prediction;

/** The leagues whose games are traded, each team as {@code code:name} and commas between them. */
enum League {
  NBA(
      "basketball",
      "NBA",
      "bos:Boston Celtics,den:Denver Nuggets,lal:Los Angeles Lakers,mia:Miami Heat"),
  MLB(
      "baseball",
      "MLB",
      "ari:Arizona Diamondbacks,pit:Pittsburgh Pirates,nyy:New York Yankees,sea:Seattle Mariners"),
  NHL(
      "hockey",
      "NHL",
      "col:Colorado Avalanche,tor:Toronto Maple Leafs,edm:Edmonton Oilers,fla:Florida Panthers"),
  EPL("soccer", "Premier League", "ars:Arsenal,liv:Liverpool,che:Chelsea,mun:Manchester United"),
  FL1("soccer", "Ligue 1", "asm:Monaco,met:Metz,psg:Paris Saint-Germain,lyo:Lyon");

  private final String sport;
  private final String title;
  private final String teams;

  League(String sport, String title, String teams) {
    this.sport = sport;
    this.title = title;
    this.teams = teams;
  }

  String sport() {
    return sport;
  }

  String title() {
    return title;
  }

  /** The short code of a team, counted round. */
  String code(int team) {
    return entry(team).split(":")[0];
  }

  String team(int team) {
    return entry(team).split(":")[1];
  }

  private String entry(int team) {
    String[] entries = teams.split(",");
    return entries[team % entries.length];
  }
}
