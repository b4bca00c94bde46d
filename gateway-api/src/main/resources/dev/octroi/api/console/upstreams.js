import { every, get } from './api.js';
import { badge, h, head, notice, section } from './dom.js';
import { count } from './format.js';
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

export async function upstreams({ signal }) {
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
  return [head('Upstreams', `The upstreams as node ${first.node} sees them, refreshed every 5 seconds.`), said, section('All upstreams', list)];
}

function trouble(rows) {
  const named = (wanted) => rows.filter((row) => state(row) === wanted).map((row) => row.name).join(', ');
  return [
    named('down') && notice('bad', `Not called at the moment, because too many calls failed: ${named('down')}.`),
    named('failing') && notice('warn', `Some of the last calls failed: ${named('failing')}.`),
  ].filter(Boolean);
}
