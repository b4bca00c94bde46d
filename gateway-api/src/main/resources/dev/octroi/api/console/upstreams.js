import { every, get, post } from './api.js';
import { announce, ask, badge, changing, facts, h, head, live, notice, section } from './dom.js';
import { code, count } from './format.js';
import { table } from './table.js';

const COLUMNS = [
  { title: 'Upstream', cell: (row) => h('b', {}, row.name) },
  { title: 'State', cell: (row) => badge(state(row)) },
  { title: 'Address', cell: (row) => h('code', {}, row.address) },
  { title: 'Failed of the last calls', end: true, cell: (row) => (row.calls ? `${count(row.failed)} of ${count(row.calls)}` : 'not called yet') },
  { title: 'Connections', end: true, cell: (row) => `${count(row.inUse)} of ${count(row.connections)}` },
  { title: 'Waiting', end: true, cell: (row) => count(row.waiting) },
  { title: 'Deadline', end: true, cell: (row) => `${count(row.deadlineSeconds)} s` },
];

/** An upstream whose last calls failed in part is called all the same, and is not well. */
function state(row) {
  return row.state === 'up' && row.failed > 0 ? 'failing' : row.state;
}

export async function upstreams({ signal, again }) {
  const first = await get('upstreams', {}, signal);
  const said = h('div');
  const list = table({ caption: 'Upstreams', quiet: true, columns: COLUMNS, rows: first.data });
  let mark = JSON.stringify(first.data);
  every(5, signal, async () => {
    try {
      const { data } = await get('upstreams', {}, signal);
      said.replaceChildren(...trouble(data));
      if (JSON.stringify(data) !== mark) {
        mark = JSON.stringify(data);
        list.firstChild.refill(data);
      }
    } catch (error) {
      if (!signal.aborted && error.status !== 0) {
        said.replaceChildren(notice('bad', error.message));
      }
    }
  });
  said.replaceChildren(...trouble(first.data));
  return [head('Upstreams', `The upstreams as node ${first.node} sees them, refreshed every 5 seconds.`), said,
    section('All upstreams', list), section('This node', await thisNode(signal, again))];
}

/** The node that answered; behind a balancer it may be another one the next time. */
function thisNode(signal, again) {
  return live({
    load: () => get('node', {}, signal), signal,
    render: ({ node, draining }) => h('div', { class: 'stack' },
      facts([['Node', code(node)], ['State', badge(draining ? 'draining' : 'up', draining ? 'draining' : 'wants calls')]]),
      h('div', { class: 'actions' }, draining
        ? changing('node', 'Resume…', () => change(`Send calls to ${node} again?`, 'Balancers may send it calls from now on.', 'Resume', 'node/resume', again))
        : changing('node', 'Drain…', () => change(`Drain ${node}?`, '/health/ready answers 503, so that balancers send it no more calls. Calls that come are served all the same.', 'Drain', 'node/drain', again)))),
  });
}

async function change(title, text, confirm, path, again) {
  const now = await ask({ title, text, confirm, act: () => post(path) });
  if (now) {
    announce(now.draining ? `${now.node} is draining: stop it once its calls have ended` : `${now.node} wants calls again`);
    again();
  }
}

function trouble(rows) {
  const named = (wanted) => rows.filter((row) => state(row) === wanted).map((row) => row.name).join(', ');
  return [
    named('down') && notice('bad', `Not called at the moment, because too many calls failed: ${named('down')}.`),
    named('failing') && notice('warn', `Some of the last calls failed: ${named('failing')}.`),
  ].filter(Boolean);
}
