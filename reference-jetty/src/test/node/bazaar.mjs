// Asks for every listed resource without payment, has the published extension judge what the challenges say of them and what is listed of tools,
// and prints what a test wants to know. usage: node bazaar.mjs BASE
import { HTTPFacilitatorClient } from '@x402/core/http';
import { extractDiscoveryInfo, validateDiscoveryExtension, validateDiscoveryExtensionSpec, withBazaar } from '@x402/extensions/bazaar';

const base = process.argv[2];
const { bazaar } = withBazaar(new HTTPFacilitatorClient({ url: base })).extensions;
async function listed(type) {
  const items = [];
  let total = 1;
  while (items.length < total) {
    const page = await bazaar.listResources({ type, limit: 100, offset: items.length });
    total = page.pagination.total;
    items.push(...page.items);
  }
  return items;
}

const items = await listed('http');
const tools = await listed('mcp');
const below = withBazaar(new HTTPFacilitatorClient({ url: `${base}/facilitator` })).extensions;
const first = await below.bazaar.listResources({ type: 'http', limit: 1 });
const problems = [];
function judge(resource, extension) {
  for (const judged of [validateDiscoveryExtensionSpec(extension), validateDiscoveryExtension(extension)]) {
    if (!judged.valid) problems.push(`${resource}: ${judged.errors.join('; ')}`);
  }
}

for (const tool of tools) judge(tool.extensions.bazaar.info.input.toolName, tool.extensions.bazaar);
const templates = [];
for (const item of items) {
  const { input } = item.extensions.bazaar.info;
  const url = item.resource.replace(/:(?=[a-z_]+)(?!\/\/)/g, 'x');
  const unpaid = await fetch(url, {
    method: input.method,
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json', ...input.headers } }),
  });
  const challenge = await unpaid.json();
  const extension = challenge.extensions?.bazaar;
  if (unpaid.status !== 402 || extension === undefined) {
    problems.push(`${item.resource}: ${unpaid.status}`);
    continue;
  }
  judge(item.resource, extension);
  if (challenge.accepts[0].amount !== item.accepts[0].amount) {
    problems.push(`${item.resource}: listed at ${item.accepts[0].amount}, asked ${challenge.accepts[0].amount}`);
  }
  const payload = { x402Version: 2, resource: challenge.resource, accepted: challenge.accepts[0], payload: {}, extensions: challenge.extensions };
  const found = extractDiscoveryInfo(payload, challenge.accepts[0]);
  if (found?.resourceUrl !== item.resource) problems.push(`${item.resource}: found as ${found?.resourceUrl}`);
  if (found?.routeTemplate !== undefined) templates.push(found.routeTemplate);
}
console.log(JSON.stringify({ listed: items.length, tools: tools.length, below: first.items[0].resource === items[0].resource, templates: templates.length, problems }));
