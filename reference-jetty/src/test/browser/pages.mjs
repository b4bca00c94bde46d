// What web pages of other sites, and of this machine, get from a gateway on a loopback address.
// Every name below .example leads to this machine, as after DNS rebinding.
// usage: node pages.mjs PICTURES BASE READ
import { createServer } from 'node:http';
import { launch } from './browser.mjs';

const [, base, read] = process.argv.slice(2);
const pages = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>a page</title>');
});
pages.listen(0, '127.0.0.1');
await new Promise((resolve) => pages.once('listening', resolve));
const port = pages.address().port;
const browser = await launch('--host-resolver-rules=MAP *.example 127.0.0.1');

/** What a page reads, and with which statuses its requests were answered. */
async function from(home, actions) {
  const page = await (await browser.newContext()).newPage();
  const answered = {};
  page.on('response', (response) => {
    const request = response.request();
    answered[`${request.method()} ${new URL(response.url()).pathname}`] = response.status();
  });
  await page.goto(home);
  const got = await page.evaluate(actions, { base, read });
  await page.context().close();
  return { got, answered };
}

async function attempts({ base, read }) {
  const tried = async (target, options) => {
    try {
      const answer = await fetch(base + target, options);
      return { type: answer.type, status: answer.status, challenge: answer.headers.get('PAYMENT-REQUIRED') };
    } catch {
      return 'refused';
    }
  };
  const image = () =>
    new Promise((resolve) => {
      const shown = new Image();
      shown.onload = () => resolve('shown');
      shown.onerror = () => resolve('refused');
      shown.src = `${base}/docs/icon.svg`;
    });
  return {
    read: await tried(read),
    preflighted: await tried(read, { headers: { 'PAYMENT-SIGNATURE': 'x' } }),
    posted: await tried('/mcp', { method: 'POST', body: '{}', mode: 'no-cors' }),
    image: await image(),
  };
}

/** The page of a name that leads to the gateway itself. */
async function rebound() {
  const page = await (await browser.newContext()).newPage();
  const answer = await page.goto(`http://rebound.example:${new URL(base).port}/docs`);
  const told = await answer.text();
  await page.context().close();
  return { status: answer.status(), told };
}

const report = {
  foreign: await from(`http://shop.example:${port}/`, attempts),
  local: await from(`http://localhost:${port}/`, attempts),
  rebound: await rebound(),
};
await browser.close();
pages.close();
console.log(JSON.stringify(report));
