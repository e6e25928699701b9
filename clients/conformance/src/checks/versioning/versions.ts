import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { absent, integer, listOf, oneOf, someText, text } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { openNumber } from '../open-number.ts';

const { must } = checksOf('versioning');
const VERSIONS = { source: 'service-api.md: Versioning', profile: 'api' } as const;
const FULL = { source: 'service-api.md: Versioning', profile: 'full' } as const;
const MESSAGES = { source: 'decisions.md: Messages and inbox', profile: 'api' } as const;
const ANNOUNCED = { source: 'decisions.md: Limits and versions', profile: 'api' } as const;

const OLD_NAME = 'call.outside_opening_hours';
const NEW_NAME = 'call.outside_business_hours';
const CLOSED = Array.from({ length: 7 }, (_, day) => ({ day_of_week: day, open: false }));
const YEAR_MS = 365 * 86_400_000;

export const versionChecks: readonly Check[] = [
  must(1, 'The version is in the path, and there is no other one.', VERSIONS, async ({ companies, http }) => {
    const { apiKey } = await companies.shared();
    const key = { 'X-Api-Key': apiKey };
    await http.get('/api/v1/company', key).gives(200);
    for (const path of ['/api/v2/company', '/api/v0/company', '/api/company', '/v1/company'])
      await http.get(path, key).gives(404);
  }),

  must(2, 'Business numbers are listed under `main_numbers`.', VERSIONS, async ({ companies }) => {
    const company = await companies.shared();
    const item = { id: text, name: text, number: text, number_formatted: text };
    await company.get('/business_numbers').gives(200, { main_numbers: listOf(item), business_numbers: absent });
  }),

  must(3, 'Numbers at risk are listed under `at_risk_main_numbers`.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const path = `/employees/${company.owner.id}/do_not_disturb`;
    await company
      .get(path)
      .gives(200, { at_risk_main_numbers: listOf({ id: text }), at_risk_business_numbers: absent });
  }),

  must(
    4,
    'A business number has the current names of slot and schedule, and `wait_audio`.',
    FULL,
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      const number = await company.get(`/business_numbers/${id}`).gives(200, {
        outside_business_hours_config: { type: text },
        business_hours: listOf({ day_of_week: integer }),
        wait_audio: oneOf('ringtone', 'music'),
      });
      for (const name of ['outside_opening_hours_config', 'opening_hours'])
        expectThat(!Object.hasOwn(number, name), `a business number has the former field ${name}`);
    },
  ),

  must(5, 'The former no-answer timeouts are refused.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const timeout of [10, 20, 40, 50])
      await company
        .put(`/business_numbers/${id}/no_answer_config`, {
          type: 'RejectConfig',
          message: 'Hello',
          timeout_secs: timeout,
        })
        .isRefused(422, { field: 'timeout_secs' });
  }),

  must(6, 'A webhook may name the former event, and keeps it.', FULL, async ({ companies, sandbox }) => {
    const company = await companies.shared();
    const webhook = { name: 'Former', url: sandbox.receiver().url, events: [OLD_NAME, 'call.ended'] };
    const { id } = await company.post('/webhooks', webhook).gives(201, { events: webhook.events });
    const listed = await company.get('/webhooks').gives(200);
    expect(listed.find((one: { id: string }) => one.id === id)?.events, webhook.events, 'the events of the webhook');
  }),

  must(
    7,
    'A webhook for the former event gets it by its former name, one for the current event by the current.',
    FULL,
    async ({ companies, sandbox }) => {
      const company = await companies.shared();
      const receivers = [OLD_NAME, NEW_NAME].map((event) => ({ event, receiver: sandbox.receiver() }));
      for (const { event, receiver } of receivers)
        await company.post('/webhooks', { name: event, url: receiver.url, events: [event] }).gives(201);
      const { id, number } = await company.number();
      await company
        .put(`/business_numbers/${id}/outside_business_hours_config`, {
          type: 'RejectConfig',
          message: 'Closed.',
          business_hours: CLOSED,
        })
        .gives(200);
      const leg = await sandbox.call(freshPhone(), number);
      const callId = await leg.callId();
      for (const { event, receiver } of receivers) {
        const [delivery] = await eventually(`${event} arrives`, async () => {
          const found = await receiver.deliveries();
          expectThat(found.length > 0, 'nothing has arrived');
          return found;
        });
        expect(delivery!.body, { event, data: { id: callId, main_number_id: id } }, 'the body');
      }
      await leg.hangUp();
      for (const { receiver } of receivers) expect((await receiver.deliveries()).length, 1, 'the number of deliveries');
    },
  ),

  must(
    8,
    'Both names of the callbacks of the SMS provider require a signature.',
    { ...MESSAGES, source: 'service-api.md: Inbound provider callbacks' },
    async ({ http }) => {
      const body = { data: { event_type: 'message.received', payload: {} } };
      const stale = { 'telnyx-signature-ed25519': 'AAAA', 'telnyx-timestamp': '1000000000' };
      for (const [path, alias] of [
        ['messages', 'sms'],
        ['delivery_reports', 'sms_statuses'],
      ])
        for (const headers of [{}, stale])
          for (const one of [path, alias]) await http.post(`/webhooks/telnyx/${one}`, body, headers).isRefused(401);
    },
  ),

  must(9, 'Unseen activity is still counted by `/activity/unseen`.', MESSAGES, async ({ companies }) => {
    const company = await companies.shared();
    await company.get('/activity/unseen').gives(200, {
      unseen_count: integer,
      main_numbers: listOf({ id: text, name: text, unseen_count: integer }),
    });
  }),

  must(10, 'Calls are still marked as seen by `/calls/seen`.', { ...MESSAGES, profile: 'full' }, async (context) => {
    const company = await context.companies.shared();
    const { id, number } = await openNumber(company, { type: 'RejectConfig', message: 'No.' });
    const phone = freshPhone();
    const leg = await context.sandbox.call(phone, number);
    await leg.callId();
    await leg.hangUp();
    const counted = async () =>
      (await company.get('/activity/unseen').gives(200)).main_numbers.find((one: { id: string }) => one.id === id)
        ?.unseen_count ?? 0;
    await eventually('the missed call is unseen', async () => expect(await counted(), 1, 'the count of the number'));
    await company.post('/calls/seen', { phone_number: phone, main_number_id: id }).givesNothing();
    await eventually('the call is seen', async () => expect(await counted(), 0, 'the count of the number'));
    await company.post('/calls/seen', { phone_number: phone, main_number_id: id }).givesNothing();
  }),

  must(11, 'What is deprecated is announced with a date, a year ahead.', ANNOUNCED, async ({ companies, http }) => {
    const company = await companies.shared();
    const { paths } = await http.get('/openapi.json').gives(200);
    for (const [path, item] of Object.entries<any>(paths)) {
      if (item.get?.deprecated !== true || path.includes('{') || !path.startsWith('/api/v1/')) continue;
      const { headers } = await company
        .get(path.slice('/api/v1'.length))
        .givesHeaders(200, { deprecation: /./, sunset: /./ });
      const since = headers.get('deprecation')!.replace(/^@/, '');
      const begin = /^\d+$/.test(since) ? Number(since) * 1000 : Date.parse(since);
      const end = Date.parse(headers.get('sunset')!);
      expectThat(end - begin >= YEAR_MS, `${path} ends at ${headers.get('sunset')}, announced ${since}`);
    }
  }),

  must(12, 'An employee has the fields of do-not-disturb and a status.', VERSIONS, async ({ companies }) => {
    const company = await companies.shared();
    const { employees } = await company.get('/employees').gives(200);
    expectThat(employees.length > 0, 'there is no employee');
    for (const employee of employees) {
      expect(employee.status, someText, 'the status');
      for (const name of ['do_not_disturb', 'do_not_disturb_activated_at', 'do_not_disturb_expires_at'])
        expectThat(Object.hasOwn(employee, name), `an employee has no field ${name}`);
    }
  }),
];
