package dev.octroi.api.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spec:paywall.html")
class PageTemplateTest {

  @Test
  void whatOthersChoseIsText() {
    assertThat(PageTemplate.escaped("<a href=\"x\" title='y'>&"))
        .isEqualTo("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
  }

  @Test
  void anAddressIsOneWordOfACommand() {
    assertThat(PageTemplate.shellQuoted("https://shop.example/?a='$(id)'&b=`id`"))
        .isEqualTo("'https://shop.example/?a=%27$(id)%27&b=`id`'");
  }

  @Test
  void nothingOfAChallengeIsMarkupOrAPlaceOfTheTemplate() {
    String page =
        page(
            "POST",
            """
            {"x402Version":2,"error":"<b>{{style}}</b>","code":"other",
             "resource":{"url":"https://shop.example/'><script>",
                         "description":"\\"'><script>alert(1)</script><i>{{base}}</i>"},
             "accepts":[{"network":"<u>","amount":"12000000","payTo":"\\"","asset":"&",
                         "extra":{"name":"\\"onclick=\\"alert(1)"}}],
             "extensions":{"bazaar":{"info":{"input":{"body":{"a":"</textarea><script>"}}}}},
             "price":{"amount":"12.000000","currency":"USD"}}
            """);

    assertThat(page.replaceFirst("(?s)<script type=\"module\">.*</script>", ""))
        .doesNotContain("<script", "<b>", "<i>", "<u>", "<Corner>", "'>", "\"onclick", "{{script}}")
        .contains("12.00 &quot;onclick=&quot;alert(1) on &lt;u&gt;", "&lt;Corner&gt; shop")
        .contains("&lt;/textarea&gt;&lt;script&gt;", "{{base}}", "{{style}}");
    assertThat(page.split("</textarea>", -1)).hasSize(2);
  }

  @Test
  void aPriceIsExactAndNamesTokenAndNetworkInEitherVersion() {
    String offer =
        """
        "maxTimeoutSeconds":300,"payTo":"0x1","asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "extra":{"name":"USD Coin","version":"2"}
        """;
    assertThat(page("GET", challenge("\"network\":\"eip155:8453\",\"amount\":\"9500\"," + offer)))
        .contains(">0.0095 USDC on Base<", "0.0095 USDC on Base (9500 atomic units)")
        .contains("&quot;chainName&quot;:&quot;Base&quot;");
    assertThat(page("GET", challenge("\"network\":\"base\",\"maxAmountRequired\":\"1\"," + offer)))
        .contains(">0.000001 USDC on Base<");
    assertThat(
            page(
                "GET",
                challenge("\"network\":\"eip155:1\",\"amount\":\"9007199254740993\"," + offer)))
        .contains(">9007199254.740993 USD Coin on eip155:1<");
  }

  private static String challenge(String offer) {
    return "{\"x402Version\":2,\"error\":\"\",\"code\":\"payment_required\",\"accepts\":[{"
        + offer
        + "}]}";
  }

  private static String page(String method, String challenge) {
    return new String(
        new PaywallPage("<Corner> shop", false)
            .of(method, "https://shop.example", challenge.getBytes(StandardCharsets.UTF_8)),
        StandardCharsets.UTF_8);
  }
}
