import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';
import { signIn } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import { type Colleague, newColleague, request } from './staff.ts';

let company: Company;
let admin: Colleague;
beforeAll(async () => {
  company = await createTestCompany();
  admin = await newColleague(company, 'admin');
}, 120_000);

interface Entry {
  readonly type: string;
  readonly actor: { type: string; id: string | null; name: string | null; credential: { type: string } | null };
  readonly object: { type: string; id: string; name: string };
  readonly changes: Record<string, { from: unknown; to: unknown }>;
  readonly address: string | null;
  readonly request_id: string | null;
}

const read = async (query: Record<string, string> = {}): Promise<Entry[]> => {
  const { body } = await succeeded(request(admin.byKey, 'GET', `/audit_events?${new URLSearchParams(query)}`));
  return body.audit_events;
};
const waitFor = (query: Record<string, string>, count = 1) =>
  waitUntil(
    async () => {
      const found = await read(query);
      return found.length >= count && found;
    },
    { what: `${count} entries of ${JSON.stringify(query)}` },
  );

it('the audit log names who changed what, through which credential', async () => {
  const { body: number } = await createNumber(company, { name: 'Support' });
  const name = { byKey: 'By key', bySession: 'By session', byToken: 'By app' } as const;
  for (const credential of ['byKey', 'bySession', 'byToken'] as const)
    await succeeded(request(admin[credential], 'PATCH', `/business_numbers/${number.id}`, { name: name[credential] }));
  await succeeded(operate(sharedStack(), 'PATCH', `/business_numbers/${number.id}`, { active: false }));
  const greeting = { type: 'RejectConfig', message: 'words that are not for the log' };
  await succeeded(request(admin.byKey, 'PUT', `/business_numbers/${number.id}/incoming_call_config`, greeting));

  const entries = await waitFor({ object_id: number.id }, 6);
  const byAdmin = { id: admin.employeeId, name: 'A admin' };
  expect(entries).toMatchObject([
    { type: 'business_number.routing_changed', actor: { type: 'employee', ...byAdmin } },
    { type: 'business_number.updated', actor: { type: 'operator', id: null, credential: { type: 'operator' } } },
    { type: 'business_number.updated', actor: { type: 'app', ...byAdmin, credential: { type: 'oauth_token' } } },
    { type: 'business_number.updated', actor: { type: 'employee', ...byAdmin, credential: { type: 'session' } } },
    {
      type: 'business_number.updated',
      actor: { type: 'employee', ...byAdmin, credential: { type: 'api_key', name: 'Test' } },
    },
    { type: 'business_number.created', actor: { type: 'operator' } },
  ]);
  expect(entries[4]).toMatchObject({
    object: { type: 'business_number', id: number.id, name: 'By key' },
    changes: { name: { from: 'Support', to: 'By key' } },
    address: '127.0.0.1',
    request_id: expect.any(String),
  });
  expect(JSON.stringify(entries)).not.toContain('words that are not');
});

it('the audit log has the changes of a webhook, without secrets', async () => {
  const url = 'https://hooks.example.com/parley?token=hush';
  const given = { name: 'CRM', url, events: ['contact.created'] };
  const { body: webhook } = await succeeded(request(admin.byKey, 'POST', '/webhooks', given));
  await succeeded(request(admin.byKey, 'DELETE', `/webhooks/${webhook.id}`));
  const entries = await waitFor({ object_id: webhook.id }, 2);
  const actor = { type: 'employee', id: admin.employeeId, credential: { type: 'api_key' } };
  expect(entries).toMatchObject([
    { type: 'webhook.deleted', actor },
    { type: 'webhook.created', actor, changes: { url: { from: null, to: 'https://hooks.example.com/parley' } } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('hush');
});

it('the audit log has sign-ins, failed ones, new and ended credentials, and the end of an employee', async () => {
  const member = await newColleague(company, 'member');
  await signIn({ ...member, ...visit(sharedStack().base_url) }, '/signin', 'a wrong password');
  await succeeded(request(admin.byKey, 'DELETE', `/employees/${member.employeeId}`));

  const [failed] = await waitFor({ object_id: member.employeeId, type: 'sign_in.failed' });
  expect(failed).toMatchObject({ actor: { type: 'system', credential: null }, address: '127.0.0.1' });
  const [removed] = await waitFor({ object_id: member.employeeId, type: 'employee.removed' });
  expect(removed).toMatchObject({ actor: { id: admin.employeeId }, changes: { email: { to: null } } });
  const [signedIn] = await waitFor({ actor_id: member.employeeId, type: 'session.created' });
  expect(signedIn).toMatchObject({ actor: { name: 'A member', credential: { type: 'session' } } });
  await waitFor({ actor_id: member.employeeId, type: 'connected_app.created' });
  for (const type of ['api_key.revoked', 'connected_app.revoked', 'session.ended'])
    expect((await waitFor({ type, actor_id: admin.employeeId })).length).toBeGreaterThan(0);
});

it('the audit log has do-not-disturb that somebody else changed, not one’s own', async () => {
  const member = await newColleague(company, 'member');
  const path = `/employees/${member.employeeId}/do_not_disturb`;
  await succeeded(request(member.byKey, 'PUT', path, { enabled: true }));
  await succeeded(request(admin.byKey, 'PUT', path, { enabled: false }));
  expect(await waitFor({ type: 'employee.do_not_disturb_changed' })).toMatchObject([
    { actor: { id: admin.employeeId }, object: { id: member.employeeId }, changes: { enabled: { to: false } } },
  ]);
});

it('the exported audit log is a file for spreadsheets, with the same filters', async () => {
  await succeeded(request(admin.byKey, 'PATCH', '/company', { city: '=1+1' }));
  await waitFor({ object_id: company.id, type: 'company.updated' });
  const reply = await request(admin.byKey, 'GET', `/audit_events.csv?object_id=${company.id}&type=company.updated`);
  expect(reply.status).toBe(200);
  const [header, line, ...more] = reply.text.split('\r\n');
  expect(header).toMatch(/^id,at,type,actor_type,actor_id,/);
  expect(line).toContain('"{""city"":{""from"":null,""to"":""=1+1""}}"');
  expect(more).toEqual(['']);
});

it('the audit log has the files of contacts, calls and entries that somebody downloaded', async () => {
  const paths = ['/contacts/export.csv', '/calls/export.csv?direction=inbound&tag=vip', '/audit_events.csv'];
  for (const path of paths) await succeeded(request(admin.byKey, 'GET', path));
  const actor = { id: admin.employeeId, credential: { type: 'api_key' } };
  expect(await waitFor({ type: 'contacts.exported' })).toMatchObject([
    { actor, object: { type: 'file', name: 'contacts.csv' }, changes: {}, address: '127.0.0.1' },
  ]);
  const [calls] = await waitFor({ type: 'calls.exported' });
  expect(calls).toMatchObject({ actor, changes: { direction: { from: null, to: 'inbound' }, tag: { to: '(set)' } } });
  expect(await waitFor({ type: 'audit_events.exported', actor_id: admin.employeeId })).not.toEqual([]);
});
