import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Markup, markup, redirect, endpoint } from '@parley/http';
import type { Session } from '@parley/proto/identity/v1/sign_in_pb';
import type { Clients } from '../peers/peers.ts';
import { browserName } from './browser-name.ts';
import { tokenField } from './forms.ts';
import { instant, page } from './page.ts';
import { forEmployee, forEmployeesForm } from './signed-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/sessions';
const PURPOSE = 'sessions';

export const showSessions = ({ sessions }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the sessions',
    responses: { 200: 'text/html', 303: null },
    handle: (input) =>
      forEmployee(input, PATH, async (employee, visitor) => {
        const { sessions: own } = await sessions.listOwnSessions({}, { as: employee });
        const body = markup`<section><p>${t(visitor, 'Browsers that are signed in as you')}</p>
<ul class="list">${own.map((session) => sessionItem(session, visitor))}</ul></section>`;
        return page(200, visitor, { title: t(visitor, 'Sessions'), body });
      }),
  });

export const revokeSession = ({ sessions }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/:id/revoke`,
    tag: 'Pages',
    summary: 'Revoke a session',
    responses: { 303: null, 403: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (employee) => {
        await sessions.revokeOwnSession({ id: input.params.id }, { as: employee });
        return redirect(303, PATH);
      }),
  });

function sessionItem({ id, userAgent, address, signedInAt, current }: Session, visitor: Visitor): Markup {
  return markup`<li><strong id="${id}">${browserName(userAgent)}</strong>${current && markup` (${t(visitor, 'this one')})`}<br>
<span class="soft">${address} · ${t(visitor, 'since')} ${instant(signedInAt && timestampDate(signedInAt), t(visitor, 'unknown'))}</span>
<form method="post" action="${PATH}/${id}/revoke">${tokenField(visitor, PURPOSE)}
<button class="danger" aria-describedby="${id}">${t(visitor, 'Revoke')}</button></form></li>`;
}
