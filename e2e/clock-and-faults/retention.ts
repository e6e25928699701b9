import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { whenRecorded } from '../events/read-events.ts';
import { operate, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { placesWith } from '../support/stored-bytes.ts';

const DAY_SECS = 24 * 3600;
const PERSON = '+4520771188';
const FOREVER = {
  recordings_days: null,
  voicemails_days: null,
  transcripts_days: null,
  messages_days: null,
  calls_days: null,
};

export function testRetention(stack: LocalStack): void {
  let fixture: PhoneCompany;
  let mailbox: string;

  beforeAll(async () => {
    fixture = await openPhoneCompany(stack.local);
    const { company } = fixture;
    await succeeded(operate(stack.local, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
    mailbox = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  }, 300_000);

  const read = async (path: string) => (await succeeded(fixture.company.call('GET', path))).body;
  const settled = (path: string, list: string, count: number) =>
    waitUntil(async () => (await read(path))[list].length === count, {
      what: `${count} in ${path}`,
      timeoutMs: LIMIT_MS,
    });

  it('retention is forever until an admin replaces all of it, which the audit log records', async () => {
    const { company } = fixture;
    expect(await read('/privacy/retention')).toEqual(FOREVER);
    const settings = { ...FOREVER, calls_days: 5, voicemails_days: 8, messages_days: 8 };
    expect(await company.call('PUT', '/privacy/retention', settings)).toMatchObject({ status: 200, body: settings });
    expect(await read('/privacy/retention')).toEqual(settings);
    for (const wrong of [{ calls_days: 0 }, { calls_days: 3651 }, { calls_days: 1.5 }, { calls_days: undefined }]) {
      const refused = await company.call('PUT', '/privacy/retention', { ...settings, ...wrong });
      expect(refused).toMatchObject({ status: 422, body: { errors: { calls_days: [expect.any(String)] } } });
    }
    const entries = await waitUntil(
      async () => {
        const { audit_events } = await read('/audit_events?type=retention.changed');
        return audit_events.length > 0 ? audit_events : undefined;
      },
      { what: 'the entry', timeoutMs: LIMIT_MS },
    );
    expect(entries).toMatchObject([{ changes: { calls_days: { from: null, to: 5 } }, actor: { type: 'employee' } }]);
  });

  it('retention of recordings leaves events of the log without them', async () => {
    const { company } = fixture;
    await succeeded(company.call('PUT', '/privacy/retention', { ...FOREVER, recordings_days: 1 }));
    const ada = await fixture.hire('Ada', true);
    const call = await fixture.talk(await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] }), ada);
    await fixture.waitUntilHeard(call.legId, 'party');
    await fixture.over(call);
    const [ended] = await whenRecorded(company, { types: 'call.ended' }, 1);
    expect(ended!.data['recording_url']).toEqual(expect.any(String));
    await fixture.advance(2 * DAY_SECS);
    await waitUntil(async () => (await read(`/events/${ended!.id}`)).data.recording_url === null, {
      what: 'the end of the recording',
      timeoutMs: LIMIT_MS,
    });
    await succeeded(
      company.call('PUT', '/privacy/retention', { ...FOREVER, calls_days: 5, voicemails_days: 8, messages_days: 8 }),
    );
  }, 300_000);

  it('retention removes what is older everywhere, and keeps totals of reports', async () => {
    const legId = await fixture.dial(mailbox, PERSON);
    const call = { legId, callId: await fixture.callOf(legId) };
    await fixture.state(call.callId, 'recording');
    await fixture.sandbox('POST', `/legs/${legId}/say`, { text: 'My telescope is broken.' });
    await fixture.over(call);
    await fixture.sandbox('POST', '/messages', { from: PERSON, to: mailbox, text: 'Hello' });
    await settled('/voicemails', 'voicemails', 1);
    const activity = `/inbox/${encodeURIComponent(PERSON)}/activity`;
    await settled(activity, 'items', 2);
    await fixture.events(call.callId, 'call.ended');

    await fixture.advance(6 * DAY_SECS);
    expect((await fixture.company.call('GET', `/calls/${call.callId}`)).status).toBe(404);
    expect((await read('/calls')).calls).toEqual([]);
    expect((await read('/voicemails')).voicemails).toMatchObject([{ recording_url: expect.any(String) }]);
    await settled(activity, 'items', 2);

    await fixture.advance(3 * DAY_SECS);
    expect((await read('/voicemails')).voicemails).toEqual([]);
    await settled('/inbox', 'threads', 0);
    const from = new Date(Date.now() - 2000 * DAY_SECS).toISOString().slice(0, 10);
    await waitUntil(async () => (await read(`/reports/calls?from=${from}`)).totals.voicemails === 1, {
      what: 'the totals',
      timeoutMs: LIMIT_MS,
    });
    if (process.env['PARLEY_TEST_ENGINES'] === 'containers') return;
    // Records that arrive at a service after its removal are removed by the next run, half a day later, or when they are too old
    // themselves.
    for (let days = 0; ; days += 1) {
      const places = await placesWith(PERSON, stack.dataDir);
      if (places.length === 0) break;
      if (days === 10) throw new Error(`the number is still in ${places.join(', ')}`);
      await fixture.advance(DAY_SECS);
    }
  }, 300_000);
}
