// Operators with roles and tokens of their own; only the token of the settings changes them.
import { get, post } from './api.js';
import { announce, ask, badge, changing, field, h, head, live, section, tellOnce } from './dom.js';
import { when } from './format.js';
import { table } from './table.js';

const ROLES = {
  read: 'read: look at everything', act: 'act: also decide payments, refunds and effects, drain nodes, test webhooks',
  admin: 'admin: everything but operators',
};

export async function operators({ signal, again }) {
  const list = await live({
    load: () => get('operators', {}, signal),
    render: ({ data }) => table({
      caption: 'Operators with tokens of their own', quiet: true, rows: data,
      empty: 'Only the operator with the token of the settings.',
      columns: [
        { title: 'Name', cell: (row) => h('a', { href: `#/actions?operator=${encodeURIComponent(row.name)}` }, row.name) },
        { title: 'State', cell: (row) => badge(row.state) }, { title: 'Role', cell: (row) => row.role },
        { title: 'Created', cell: (row) => when(row.created) }, { title: 'Revoked', cell: (row) => when(row.revoked) },
        { title: 'Actions', cell: (row) => (row.revoked ? '–' : changing('operators', 'Revoke…', () => revoke(row, again), 'danger')) }],
    }),
    signal,
  });
  return [head('Operators', 'Each operator has a role and a token. The operator with the token of the settings is called admin and manages the others.',
    changing('operators', 'New operator…', () => create(again), 'primary')), section('All operators', list)];
}

async function create(again) {
  const issued = await ask({
    title: 'New operator',
    controls: [
      field('Name', h('input', { name: 'name', required: true, maxlength: 64, autocapitalize: 'none', pattern: '[a-z0-9][a-z0-9._\\-]*' }), 'Lower-case letters, digits, dots, dashes and underscores.'),
      field('Role', h('select', { name: 'role' }, Object.entries(ROLES).map(([value, text]) => h('option', { value }, text))))],
    confirm: 'Create the operator',
    act: (given) => post('operators', given),
  });
  if (issued) {
    await tellOnce(`The token of ${issued.operator.name}`, 'Token', issued.token);
    again();
  }
}

async function revoke(operator, again) {
  const revoked = await ask({
    title: `Revoke ${operator.name}?`, text: 'The token is refused from now on, on other nodes within 5 seconds. This cannot be undone.',
    confirm: 'Revoke', tone: 'danger', act: () => post(`operators/${operator.id}/revoke`),
  });
  if (revoked) {
    announce('The operator is revoked');
    again();
  }
}
