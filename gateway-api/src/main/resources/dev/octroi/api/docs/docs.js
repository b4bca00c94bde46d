// Shows the description, and in the sandbox pays for the calls that are tried.
'use strict';

let sandbox = false;
const status = document.getElementById('status');
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function colour() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

function tell(text) {
  status.textContent = text;
}

/** Shows what holds with worthless money, or with money. */
function settle(isSandbox) {
  sandbox = isSandbox;
  for (const part of document.querySelectorAll('[data-when]')) {
    part.hidden = (part.dataset.when === 'sandbox') !== sandbox;
  }
}

function dollars(atomic) {
  const units = BigInt(atomic);
  const places = (units % 1000000n).toString().padStart(6, '0');
  return `${units / 1000000n}.${places}`;
}

/** Whether the caller pays by other means: a key or a payment of his own. */
function paysItself(request) {
  const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase());
  return ['authorization', 'x-api-key', 'payment-signature', 'x-payment'].some((name) =>
    names.includes(name),
  );
}

async function signed(challenge) {
  const answer = await fetch('docs/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge }),
  });
  return answer.ok ? answer.json() : undefined;
}

/** Asks; where that costs something, has the sandbox's wallet sign and asks again. */
async function paying(url, request) {
  tell('Asking…');
  const first = await fetch(url, request);
  const challenge = first.headers.get('PAYMENT-REQUIRED');
  if (first.status !== 402 || challenge === null || paysItself(request)) {
    tell(first.ok ? 'Answered.' : `Answered with ${first.status}; nothing was charged.`);
    return first;
  }
  const payment = sandbox ? await signed(challenge) : undefined;
  if (payment === undefined) {
    tell('402: this call is paid. Put a key under “Authorize”, or use an x402 client.');
    return first;
  }
  tell(`Paying ${dollars(payment.amount)} USD of sandbox money…`);
  const answer = await fetch(url, {
    ...request,
    headers: { ...request.headers, 'PAYMENT-SIGNATURE': payment.payment },
  });
  const charged = answer.headers.get('X-Price-Amount');
  tell(
    answer.ok && charged !== null
      ? `Paid ${charged} USD of sandbox money, as ${payment.payer}.`
      : `Answered with ${answer.status}; nothing was charged yet.`,
  );
  return answer;
}

/** What the viewer leaves out of its parts: names, and ways in for a keyboard. */
const PARTS = {
  // A button that unfolds a call has no link within it; a click on the button marks the call in the address.
  '.opblock-summary-control a[href]': (link) => link.removeAttribute('href'),
  'main': (inner) => inner.setAttribute('role', 'group'),
  '[role="region"]:not([aria-label])': (region) => region.setAttribute('aria-label', region.id),
  'textarea:not([aria-label])': (body) => body.setAttribute('aria-label', 'Body'),
  'tr[data-param-name] select:not([aria-label])': (choice) =>
    choice.setAttribute('aria-label', choice.closest('tr').dataset.paramName),
  'pre:not([tabindex])': (code) => code.setAttribute('tabindex', '0'),
};

function mend(viewer) {
  for (const [parts, change] of Object.entries(PARTS)) {
    viewer.querySelectorAll(parts).forEach(change);
  }
}

function show() {
  for (const place of document.querySelectorAll('.base')) {
    place.textContent = new URL('.', document.location.href).href.replace(/\/$/, '');
  }
  colour();
  dark.addEventListener('change', colour);
  const viewer = document.getElementById('viewer');
  new MutationObserver(() => mend(viewer)).observe(viewer, { childList: true, subtree: true });
  window.SwaggerUIBundle({
    url: 'openapi.json',
    domNode: viewer,
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    persistAuthorization: false,
    requestInterceptor: (request) => {
      if (!request.loadSpec) {
        // To the host that the page came from, whatever name of it the description has.
        const { pathname, search } = new URL(request.url, document.location.href);
        request.url = document.location.origin + pathname + search;
        // What follows a route's path may be several segments.
        request.url = request.url.replace(/^[^?]*/, (path) => path.replaceAll('%2F', '/'));
        request.userFetch = paying;
      }
      return request;
    },
    responseInterceptor: (response) => {
      if (response.url.endsWith('/openapi.json')) {
        settle(response.headers['x-sandbox'] !== undefined);
      }
      return response;
    },
  });
}

show();
