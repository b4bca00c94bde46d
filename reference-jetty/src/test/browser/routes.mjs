// Tries each call of a seller's own server on the documentation page.
// usage: node routes.mjs PICTURES BASE TAG
import { launch, open, shot } from './browser.mjs';

const [pictures, base, tag] = process.argv.slice(2);
const browser = await launch();
const { page, seen } = await open(browser, {});
await page.goto(`${base}/docs`);
await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
const section = page.locator('.opblock-tag-section', { has: page.locator(`#operations-tag-${tag}`) });
const calls = section.locator('.opblock');
await calls.first().waitFor();
const tried = [];
for (let i = 0; i < (await calls.count()); i++) {
  const call = calls.nth(i);
  await call.locator('.opblock-summary-control').click();
  await call.locator('.execute').click();
  const code = call.locator('.live-responses-table tbody td.response-col_status').first();
  await code.waitFor();
  await page.locator('#status', { hasText: /Paid|Answered|402/ }).waitFor();
  tried.push({
    call: (await call.locator('.opblock-summary-path').innerText()).replace(/\u200b/g, '').trim(),
    status: (await code.innerText()).trim().slice(0, 3),
    told: await page.locator('#status').innerText(),
  });
  if (i === 0) {
    await shot(page, pictures, 'docs-route-paid');
  }
  await call.locator('.opblock-summary-control').click();
}
await browser.close();
console.log(JSON.stringify({ tried, seen }));
