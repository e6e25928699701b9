import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Markup, markup, redirect, endpoint } from '@parley/http';
import type { ConnectedApp } from '@parley/proto/identity/v1/oauth_pb';
import type { EvictCredential } from '../credentials/evict-credential.ts';
import type { Clients } from '../peers/peers.ts';
import { tokenField } from './forms.ts';
import { instant, page } from './page.ts';
import { forEmployee, forEmployeesForm } from './signed-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/connected-apps';
const PURPOSE = 'connected apps';

export const showConnectedApps = ({ connectedApps }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the connected apps',
    responses: { 200: 'text/html', 303: null },
    handle: (input) =>
      forEmployee(input, PATH, async (employee, visitor) => {
        const { apps } = await connectedApps.listConnectedApps({}, { as: employee });
        const body = markup`<section><p>${t(visitor, 'These apps can act for you')}</p>
${apps.length === 0 ? markup`<p class="soft">${t(visitor, 'There are none.')}</p>` : markup`<ul class="list">${apps.map((app) => appItem(app, visitor))}</ul>`}</section>`;
        return page(200, visitor, { title: t(visitor, 'Connected apps'), body });
      }),
  });

export const revokeConnectedApp = ({ connectedApps }: Clients, evict: EvictCredential) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/:client_id/revoke`,
    tag: 'Pages',
    summary: 'Revoke a connected app',
    responses: { 303: null, 403: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (employee) => {
        await connectedApps.revokeConnectedApp({ clientId: input.params.client_id }, { as: employee });
        evict({ credentialId: '', employeeId: employee.employeeId });
        return redirect(303, PATH);
      }),
  });

function appItem(app: ConnectedApp, visitor: Visitor): Markup {
  const { clientId, clientName, scope, allowedAt, lastRefreshedAt, lastUsedAt } = app;
  return markup`<li><strong id="${clientId}">${clientName}</strong> <span class="soft">(${scope})</span><br>
<span class="soft">${t(visitor, 'Allowed')} ${instant(allowedAt && timestampDate(allowedAt), t(visitor, 'unknown'))} ·
${t(visitor, 'renewed')} ${instant(lastRefreshedAt && timestampDate(lastRefreshedAt), t(visitor, 'never'))} ·
${t(visitor, 'last used')} ${instant(lastUsedAt && timestampDate(lastUsedAt), t(visitor, 'never'))}</span>
<form method="post" action="${PATH}/${encodeURIComponent(clientId)}/revoke">${tokenField(visitor, PURPOSE)}
<button class="danger" aria-describedby="${clientId}">${t(visitor, 'Revoke')}</button></form></li>`;
}
