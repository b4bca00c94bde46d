// How a vendor's SDK reaches the gateway: its own fetch, counted, and paying per call where there is no API key.
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export const [base, credential] = process.argv.slice(2);
export const key = credential === 'x402' ? undefined : credential;
export const answers = [];

const account = privateKeyToAccount(generatePrivateKey());
const counting = async (...request) => {
  const answer = await fetch(...request);
  answers.push({
    status: answer.status,
    request: answer.headers.get('x-request-id'),
    model: answer.headers.get('x-model'),
    adapted: answer.headers.get('x-adapted'),
    price: answer.headers.get('x-price-amount'),
    paid: answer.headers.has('PAYMENT-RESPONSE'),
  });
  return answer;
};
export const door =
  key === undefined
    ? wrapFetchWithPaymentFromConfig(counting, {
        schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
      })
    : counting;
export { counting as plainDoor };

// A 2x2 picture.
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

export const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
};

// What an SDK throws, as a test wants to know it, and how many answers it had got by then.
export async function refused(call) {
  const before = answers.length;
  try {
    await call();
    return { thrown: null };
  } catch (error) {
    const statuses = answers.slice(before).map((answer) => answer.status);
    const status = error.status ?? error.statusCode ?? null;
    return {
      thrown: error.constructor.name,
      status,
      error: error.error ?? error.data ?? null,
      code: error.code ?? null,
      type: error.type ?? null,
      request: error.requestID ?? error.responseHeaders?.['request-id'] ?? null,
      message: error.message,
      attempts: statuses.filter((one) => one === status).length,
      paid: answers.slice(before).some((answer) => answer.paid),
    };
  }
}

// Runs every scenario, and prints what came of each as one line of JSON.
export async function tell(scenarios) {
  const told = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    const before = answers.length;
    try {
      told[name] = { ...(await scenario()), answers: answers.slice(before) };
    } catch (error) {
      told[name] = { failed: String(error.stack), answers: answers.slice(before) };
    }
  }
  console.log(JSON.stringify(told));
  process.exit(0);
}
