import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Refused } from '@parley/errors';
import { type Markup, markup, redirect, endpoint } from '@parley/http';
import type { ApiKey } from '@parley/proto/identity/v1/api_keys_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import type { EvictCredential } from '../credentials/evict-credential.ts';
import type { Clients } from '../peers/peers.ts';
import { field, tokenField } from './forms.ts';
import { instant, page } from './page.ts';
import { forEmployee, forEmployeesForm } from './signed-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/api-keys';
const PURPOSE = 'api keys';

export const showApiKeys = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the API keys',
    responses: { 200: 'text/html', 303: null },
    handle: (input) => forEmployee(input, PATH, (employee, visitor) => keysPage(200, clients, employee, visitor)),
  });

export const createApiKey = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: PATH,
    tag: 'Pages',
    summary: 'Create an API key',
    responses: { 201: 'text/html', 303: null, 403: 'text/html', 422: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (employee, visitor, fields) => {
        try {
          const { apiKey } = await clients.apiKeys.createOwnApiKey(
            { name: fields.get('name') ?? '' },
            { as: employee },
          );
          return await keysPage(201, clients, employee, visitor, { secret: apiKey });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          return keysPage(422, clients, employee, visitor, { alert: markup`${sentence(error.refusal.message)}` });
        }
      }),
  });

export const revokeApiKey = (clients: Clients, evict: EvictCredential) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/:id/revoke`,
    tag: 'Pages',
    summary: 'Revoke an API key',
    operationId: 'revokeApiKeyOnPage',
    responses: { 303: null, 403: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (employee) => {
        await clients.apiKeys.revokeOwnApiKey({ id: input.params.id }, { as: employee });
        evict({ credentialId: input.params.id, employeeId: employee.employeeId });
        return redirect(303, PATH);
      }),
  });

export const rotateApiKey = (clients: Clients, evict: EvictCredential) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/:id/rotate`,
    tag: 'Pages',
    summary: 'Rotate an API key',
    responses: { 200: 'text/html', 303: null, 403: 'text/html', 422: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (employee, visitor, fields) => {
        const hours = Number(fields.get('hours') || Number.NaN);
        if (!(hours >= 0 && hours <= 24)) {
          const alert = t(visitor, 'The old key can stay valid for 0 to 24 hours.');
          return keysPage(422, clients, employee, visitor, { alert });
        }
        const overlapSecs = Math.round(hours * 3600);
        const { apiKey } = await clients.apiKeys.rotateOwnApiKey(
          { id: input.params.id, overlapSecs },
          { as: employee },
        );
        evict({ credentialId: input.params.id, employeeId: employee.employeeId });
        return keysPage(200, clients, employee, visitor, { secret: apiKey });
      }),
  });

async function keysPage<const Status extends number>(
  status: Status,
  { apiKeys }: Clients,
  employee: EmployeePrincipal,
  visitor: Visitor,
  { secret, alert }: { secret?: string; alert?: Markup } = {},
) {
  const { apiKeys: keys } = await apiKeys.listOwnApiKeys({}, { as: employee });
  const body = markup`${secret !== undefined && newKey(visitor, secret)}
<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}<h2>${t(visitor, 'New key')}</h2>
${field({ label: t(visitor, 'Name'), name: 'name', hint: t(visitor, 'What will use it, for example “Webshop”.'), attributes: markup`maxlength="128"` })}
<p><button>${t(visitor, 'Create key')}</button></p></form>
<section aria-labelledby="keys"><h2 id="keys">${t(visitor, 'Your keys')}</h2>
${keys.length === 0 ? markup`<p class="soft">${t(visitor, 'You have no keys yet.')}</p>` : markup`<ul class="list">${keys.map((key) => keyItem(key, visitor))}</ul>`}</section>`;
  return page(status, visitor, { title: t(visitor, 'API keys'), body, alert });
}

/** A text area, so that the key can be selected and copied without a script. */
function newKey(visitor: Visitor, secret: string): Markup {
  return markup`<section role="status"><p class="field"><label for="new-api-key">${t(visitor, 'New API key')}</label>
<textarea id="new-api-key" readonly rows="2" spellcheck="false" aria-describedby="new-api-key-hint">${secret}</textarea>
<span class="hint" id="new-api-key-hint">${t(visitor, 'Copy it now: it is not shown again.')}</span></p></section>`;
}

function keyItem({ id, name, createdAt, lastUsedAt, oldSecretUntil }: ApiKey, visitor: Visitor): Markup {
  const until = oldSecretUntil && timestampDate(oldSecretUntil);
  return markup`<li><strong id="${id}">${name}</strong><br>
<span class="soft">${t(visitor, 'Created')} ${instant(createdAt && timestampDate(createdAt), t(visitor, 'unknown'))} ·
${t(visitor, 'last used')} ${instant(lastUsedAt && timestampDate(lastUsedAt), t(visitor, 'never'))}
${until && markup`· ${t(visitor, 'the old key works until')} ${instant(until, markup``)}`}</span>
<div class="actions"><form method="post" action="${PATH}/${id}/revoke">${tokenField(visitor, PURPOSE)}
<button class="danger" aria-describedby="${id}">${t(visitor, 'Revoke')}</button></form>
<form method="post" action="${PATH}/${id}/rotate">${tokenField(visitor, PURPOSE)}
<label for="${id}-hours">${t(visitor, 'Old key stays valid, hours')}</label>
<input id="${id}-hours" name="hours" type="number" min="0" max="24" step="1" value="1" required>
<button class="quiet" aria-describedby="${id}">${t(visitor, 'Rotate')}</button></form></div></li>`;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
