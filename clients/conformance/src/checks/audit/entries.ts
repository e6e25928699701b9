import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { Browser } from '../../world/browser.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';
import { ENTRY, entryOf } from './entry.ts';

const { must } = checksOf('audit');
const AUDIT = { source: 'people.md: Audit log', profile: 'full' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;

export const entryChecks: readonly Check[] = [
  must(
    1,
    'A change is in the log with who made it, how, from where, and in which request.',
    AUDIT,
    async ({ companies }) => {
      const company = await companies.shared();
      const admin = await company.hire({ role: 'admin' });
      const requestId = `req-${freshWord()}`;
      const sent = newcomer();
      const { id } = await admin.post('/employees', sent, { 'X-Request-Id': requestId }).gives(201);
      const entry = await entryOf(company, 'employee.created', id);
      expect(entry, ENTRY, 'the entry');
      const actor = { type: 'employee', id: admin.id, name: admin.name, credential: { type: 'api_key' } };
      const object = { type: 'employee', id, name: sent.name };
      expect(entry, { type: 'employee.created', actor, object, request_id: requestId }, 'the entry');
    },
  ),

  must(2, 'A change of a role is in the log with the former and the new one.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.hire({ role: 'member' });
    await company.patch(`/employees/${id}`, { role: 'admin' }).gives(200);
    const { changes, actor } = await entryOf(company, 'employee.role_changed', id);
    expect(changes, { role: { from: 'member', to: 'admin' } }, '`changes`');
    expect(actor, { type: 'employee', id: company.owner.id }, '`actor`');
  }),

  must(
    3,
    'What the operator does is in the log of the company, as the operator.',
    AUDIT,
    async ({ companies, operator }) => {
      const company = await companies.shared();
      const path = `/employees/${company.owner.id}/api_keys`;
      const { id, api_key: key } = await operator.post(path, { name: 'Given' }).gives(201);
      const made = await entryOf(company, 'api_key.created', id);
      const actor = { type: 'operator', credential: { type: 'operator' } };
      expect(made, { actor, object: { type: 'api_key', id, name: 'Given' } }, 'the entry');
      expectThat(!JSON.stringify(made).includes(key), 'the entry has the key');
      await operator.delete(`/api_keys/${id}`).givesNothing();
      await entryOf(company, 'api_key.revoked', id);
    },
  ),

  must(4, 'Changes of routing are in the log, without their texts.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const words = `secret${freshWord()}`;
    await company
      .put(`/business_numbers/${id}/incoming_call_config`, { type: 'RejectConfig', message: `We say ${words}.` })
      .gives(200);
    const entry = await entryOf(company, 'business_number.routing_changed', id);
    expect(entry.object, { type: 'business_number', id }, '`object`');
    expectThat(Object.keys(entry.changes).length > 0, 'the entry has no changes');
    expectThat(!JSON.stringify(entry).includes(words), `the entry has the message: ${JSON.stringify(entry)}`);
  }),

  must(5, 'Changes of webhooks are in the log, without their secrets.', SHAPES, async ({ companies, sandbox }) => {
    const company = await companies.shared();
    const webhook = { name: 'First', url: sandbox.receiver().url, events: ['call.ended'] };
    const { id, secret } = await company.post('/webhooks', webhook).gives(201);
    await company.patch(`/webhooks/${id}`, { name: 'Second' }).gives(200);
    const { changes } = await entryOf(company, 'webhook.updated', id);
    expect(changes, { name: { from: 'First', to: 'Second' } }, '`changes`');
    const { audit_events: entries } = await company.get(`/audit_events?object_id=${id}`).gives(200);
    expectThat(entries.length >= 2, 'the creation of the webhook is not in the log');
    expectThat(!JSON.stringify(entries).includes(secret), 'the log has the secret');
  }),

  must(6, 'A change of the retention is in the log.', SHAPES, async ({ companies }) => {
    const company = await companies.fresh();
    const retention = {
      recordings_days: 90,
      voicemails_days: null,
      transcripts_days: null,
      messages_days: null,
      calls_days: null,
    };
    await company.put('/privacy/retention', retention).gives(200);
    const { audit_events: entries } = await eventually('the change is in the log', () =>
      company.get('/audit_events?type=retention.changed').gives(200, { audit_events: [ENTRY] }),
    );
    expect(entries[0].changes, { recordings_days: { from: null, to: 90 } }, '`changes`');
  }),

  must(7, 'An erasure is in the log, without the number.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/privacy/erasures', { phone_number: phone }).gives(202);
    const entry = await entryOf(company, 'erasure.requested', id);
    expectThat(!JSON.stringify(entry).includes(phone.slice(1)), 'the entry has the number');
  }),

  must(8, 'Contacts have their own history and are not in the log.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/contacts', { phone: freshPhone(), name: 'Ane' }).gives(201);
    await company.patch(`/contacts/${id}`, { name: 'Anne' }).gives(200);
    await company.delete(`/contacts/${id}`).givesNothing();
    // What comes after it is there.
    const { id: later } = await company.post('/employees', newcomer()).gives(201);
    await entryOf(company, 'employee.created', later);
    await company.get(`/audit_events?object_id=${id}`).gives(200, { audit_events: [] });
  }),

  must(9, 'What is refused is not in the log.', AUDIT, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.hire();
    await company.patch(`/employees/${id}`, { role: 'boss' }).isRefused(422);
    await company.patch(`/employees/${id}`, { role: 'admin' }).gives(200);
    await entryOf(company, 'employee.role_changed', id);
    const { audit_events: entries } = await company
      .get(`/audit_events?object_id=${id}&type=employee.role_changed`)
      .gives(200);
    expect(entries.length, 1, 'the number of entries');
  }),

  must(
    10,
    'Signing in, and failing to, is in the log, without the password.',
    AUDIT,
    async ({ companies, network, target }) => {
      const company = await companies.shared();
      const { email, id, password } = company.owner;
      const wrong = `wrong ${freshWord()} password`;
      const browser = new Browser(network, target.baseUrl);
      await browser.signIn({ email, password: wrong });
      await browser.signIn({ email, password });
      for (const type of ['sign_in.failed', 'session.created'])
        await eventually(`${type} is in the log`, async () => {
          const { text } = await company.get(`/audit_events?type=${type}`);
          expectThat(text.includes(id), 'there is no entry that names the employee');
          for (const secret of [wrong, password]) expectThat(!text.includes(secret), 'the entry has the password');
        });
    },
  ),
];
