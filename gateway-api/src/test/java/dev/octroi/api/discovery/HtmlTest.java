package dev.octroi.api.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spec:paywall.html")
class HtmlTest {

  @Test
  void whatOthersChoseIsText() {
    assertThat(Html.escaped("<a href=\"x\" title='y'>&"))
        .isEqualTo("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
  }

  @Test
  void anAddressIsOneWordOfACommand() {
    assertThat(Html.shellQuoted("https://shop.example/?a='$(id)'&b=`id`"))
        .isEqualTo("'https://shop.example/?a=%27$(id)%27&b=`id`'");
  }

  @Test
  void nothingOfAChallengeIsMarkupOrAPlaceOfTheTemplate() {
    String challenge =
        """
        {"x402Version":2,"error":"<b>{{style}}</b>","code":"other",
         "resource":{"url":"https://shop.example/'><script>","description":"<i>{{base}}</i>"},
         "accepts":[{"network":"<u>","amount":"1","payTo":"\\"","asset":"&"}],
         "price":{"amount":"12.000000","currency":"USD"}}
        """;
    String page =
        new String(
            new PaywallPage("<Corner> shop", false)
                .of("GET", "https://shop.example", challenge.getBytes(StandardCharsets.UTF_8)),
            StandardCharsets.UTF_8);

    assertThat(page)
        .doesNotContain("<script", "<b>", "<i>", "<u>", "<Corner>", "'>")
        .contains("12.00 USD", "&lt;Corner&gt; shop", "{{base}}", "{{style}}");
  }
}
