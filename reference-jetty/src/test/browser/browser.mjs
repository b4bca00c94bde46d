// A headless Chromium at one page: what every script of this folder begins with.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);

const INSTALLED = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

// Without these the browser looks for hosts of its maker at every start.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function executable() {
  const found = INSTALLED.find((path) => path && existsSync(path));
  if (found) {
    return found;
  }
  // Without the arguments that it comes with: they share one process and take rules of the web away.
  const { default: carried } = await import('@sparticuz/chromium');
  return carried.executablePath();
}

/** Starts the browser, with more arguments if there are any. */
export async function launch(...more) {
  return chromium.launch({ headless: true, executablePath: await executable(), args: [...QUIET, ...more] });
}

/**
 * A new page that notes what must never happen: requests to other hosts, breaches of the content
 * security policy, errors. width: 390 is a phone; scheme: 'light' or 'dark'.
 */
export async function open(browser, { width = 1280, height = 900, scheme = 'light' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  const seen = { foreign: [], problems: [] };
  let home;
  page.on('request', (request) => {
    const url = new URL(request.url());
    home ??= url.host;
    if (url.protocol.startsWith('http') && url.host !== home) {
      seen.foreign.push(request.url());
    }
  });
  page.on('pageerror', (error) => seen.problems.push(String(error)));
  page.on('console', (message) => {
    // A status such as 402 is told as an error too, and is none here.
    const status = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !status) {
      seen.problems.push(message.text());
    }
  });
  return { page, seen };
}

/** Keeps a picture of the page beside the build's other output. */
export async function shot(page, folder, name, fullPage = false) {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

/** Whether the page is wider than its window, so that a phone would have to scroll sideways. */
export async function overflows(page) {
  return page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
  );
}

/**
 * What axe finds against WCAG 2.2 AA, of some impacts or all, in the whole page or a part of it, without some rules,
 * one line each; it runs in the page's own world.
 */
export async function audit(page, exclude = [], impacts = undefined, part = 'html', without = []) {
  const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const found = await page.evaluate(
    ([include, left, off]) =>
      window.axe.run(
        { include: [include], exclude: left.map((selector) => [selector]) },
        {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
          rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
        },
      ),
    [part, exclude, without],
  );
  const weighed = found.violations.filter((one) => impacts?.includes(one.impact) ?? true);
  return weighed.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}: ${one.help}`),
  );
}
