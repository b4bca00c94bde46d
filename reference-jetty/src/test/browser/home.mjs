// Looks at the pages that a person meets first, with and without light, and tries the way from the home page to a call.
// usage: node home.mjs PICTURES BASE
import { audit, launch, open, overflows, shot } from './browser.mjs';

const [pictures, base] = process.argv.slice(2);
const PAGES = {
  home: '/',
  guide: '/docs/guide',
  task: '/docs/guide/first-payment',
  reference: '/docs/guide/routes',
  missing: '/nothing/here',
  method: '/v1/chat/completions',
  paywall: '/v1/marketplace/cryptodata/market/fear-greed',
};
const browser = await launch();
const report = { looks: [] };

for (const [name, path] of Object.entries(PAGES)) {
  for (const scheme of ['light', 'dark']) {
    for (const [kind, width, height] of [
      ['phone', 390, 844],
      ['desktop', 1280, 900],
    ]) {
      const { page, seen } = await open(browser, { width, height, scheme });
      const answer = await page.goto(base + path);
      await shot(page, pictures, `${name}-${kind}-${scheme}`, true);
      report.looks.push({
        name: `${name}-${kind}-${scheme}`,
        status: answer.status(),
        title: await page.title(),
        overflows: await overflows(page),
        accessibility: await audit(page),
        ...seen,
      });
      await page.context().close();
    }
  }
}

const { page } = await open(browser, {});
await page.goto(base);
report.groups = await page.locator('.groups li').count();
await page.getByRole('link', { name: 'Open a call in this browser' }).click();
report.price = await page.locator('#price').innerText();
await page.goto(base);
await page.getByRole('link', { name: /Documentation/ }).click();
report.docs = await page.title();
await page.goto(base);
await page.getByRole('link', { name: /Guide/ }).click();
await page.getByRole('link', { name: 'Refund a payment' }).click();
await page.getByRole('link', { name: 'All pages' }).click();
report.guide = await page.title();
await browser.close();
console.log(JSON.stringify(report));
