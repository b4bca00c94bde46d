// Looks at the documentation page and tries a paid call on it.
// usage: node docs.mjs PICTURES BASE
import { audit, launch, open, overflows, shot } from './browser.mjs';

const [pictures, base] = process.argv.slice(2);
const browser = await launch();
const report = { looks: [] };

async function look(name, options) {
  const { page, seen } = await open(browser, options);
  await page.goto(`${base}/docs`);
  await page.waitForSelector('.opblock-tag');
  await shot(page, pictures, name);
  report.looks.push({ name, overflows: await overflows(page), ...seen });
  return { page, seen };
}

// A chapter unfolded, and a call without and one with a body tried, so that their parts are there to be judged.
report.serious = [];
for (const scheme of ['light', 'dark']) {
  const { page } = await look(`docs-unfolded-${scheme}`, { scheme });
  await page.locator('.opblock-tag', { hasText: 'Crypto data' }).click();
  for (const path of ['exchange/price', 'onchain/sql']) {
    const call = page.locator('.opblock', {
      has: page.locator(`[data-path="/v1/marketplace/cryptodata/${path}"]`),
    });
    await call.locator('.opblock-summary-control').click();
    await call.locator('.execute').click();
    await call.locator('.live-responses-table tbody td.response-col_status').first().waitFor();
  }
  await page.waitForFunction(
    () =>
      document.querySelector('.execute:disabled') === null &&
      document.getAnimations().every((one) => one.playState !== 'running'),
  );
  await shot(page, pictures, `docs-unfolded-${scheme}`);
  report.serious.push(...(await audit(page, [], ['serious', 'critical'])));
  await page.context().close();
}

// A chapter of another kind (bodies with parts, files), with its last call unfolded. The page takes many seconds to unfold one,
// so no more; how they look was judged above, so colours are left out.
report.chapters = [];
{
  const { page } = await open(browser);
  await page.goto(`${base}/docs`);
  for (const name of ['Images']) {
    const chapter = page.locator('.opblock-tag', { hasText: name });
    await chapter.click();
    await page.locator('.is-open .opblock-summary-control').last().click();
    await page.locator('.is-open .opblock-body').first().waitFor();
    await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
    report.serious.push(...(await audit(page, [], ['serious', 'critical'], '.opblock-tag-section.is-open', ['color-contrast'])));
    report.chapters.push(name);
    await chapter.click();
  }
  await page.context().close();
}

for (const scheme of ['light', 'dark']) {
  const { page } = await look(`docs-phone-${scheme}`, { width: 390, height: 844, scheme });
  await page.context().close();
}
const dark = await look('docs-desktop-dark', { scheme: 'dark' });
await dark.page.context().close();

const { page, seen } = await look('docs-desktop-light', {});
report.accessibility = await audit(page, ['#viewer']);
report.title = await page.title();
report.sandbox = await page.locator('.brand .sandbox').isVisible();
report.tags = await page.locator('.opblock-tag').count();

await page.locator('.opblock-tag', { hasText: 'Crypto data' }).click();
const call = page.locator('.opblock', {
  has: page.locator('[data-path="/v1/marketplace/cryptodata/exchange/price"]'),
});
await call.locator('.opblock-summary-control').click();
await call.locator('.execute').click();
await page.locator('#status', { hasText: /Paid|charged/ }).waitFor();
await call.locator('.live-responses-table tbody td.response-col_status').first().waitFor();
const code = call.locator('.live-responses-table tbody td.response-col_status');
report.status = (await code.first().innerText()).trim();
report.told = await page.locator('#status').innerText();
await call.scrollIntoViewIfNeeded();
await shot(page, pictures, 'docs-desktop-paid');
await page.setViewportSize({ width: 390, height: 844 });
await call.scrollIntoViewIfNeeded();
await shot(page, pictures, 'docs-phone-paid');
report.phone = await overflows(page);
report.wide = await page.evaluate(() =>
  [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .slice(0, 8)
    .map((one) => `${one.tagName}.${one.className}`),
);
report.seen = seen;
await browser.close();
console.log(JSON.stringify(report));
