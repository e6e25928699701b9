import { describe, expect, it } from '@jest/globals';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { newIdempotencyKey, startTexting } from '../messages/texting.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Hook, openHook } from './hooks.ts';

/** The `data` of the first event of this type at the receiver. */
const dataOf = (hook: Hook, event: string) =>
  waitUntil(async () => (await hook.arrived()).find(({ body }) => body.event === event)?.body.data, {
    what: event,
    timeoutMs: 100_000,
  });

async function subscribe(company: Company, events: string[]): Promise<Hook> {
  const hook = openHook(company);
  await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events }));
  return hook;
}

describe('the object of an event equals the one that REST shows:', () => {
  it('a contact in an event equals the one that REST shows', async () => {
    const company = await createTestCompany();
    const hook = await subscribe(company, ['contact.created', 'contact.updated', 'contact.deleted']);
    const fields = { phone: '+4520304050', name: 'Ane', email: 'ane@example.com', note: 'Prefers mornings' };
    const created = (await succeeded(company.call('POST', '/contacts', fields))).body;
    const path = `/contacts/${created.id}`;
    await succeeded(company.call('PATCH', path, { company_name: 'Vinter ApS' }));
    const updated = (await company.call('GET', path)).body;
    await succeeded(company.call('DELETE', path));
    expect(await dataOf(hook, 'contact.created')).toEqual({ contact: created });
    expect(await dataOf(hook, 'contact.updated')).toEqual({ contact: updated });
    expect(await dataOf(hook, 'contact.deleted')).toEqual({ contact: updated });
  });

  it('an employee in an event equals the one that REST shows', async () => {
    const company = await createTestCompany();
    const hook = await subscribe(company, ['employee.status.changed']);
    const path = `/employees/${company.owner.id}`;
    await succeeded(company.call('PUT', `${path}/do_not_disturb`, { enabled: true }));
    expect(await dataOf(hook, 'employee.status.changed')).toEqual({ employee: (await company.call('GET', path)).body });
  });

  it('an entry of the audit log in an event equals the one that REST shows, comes once, and is not caused by a delivery', async () => {
    const company = await createTestCompany();
    const hook = await subscribe(company, ['audit.created']);
    await succeeded(company.call('PATCH', '/company', { city: 'Aarhus' }));
    const other = await subscribe(company, ['contact.created']);
    // The first one is about the webhook itself.
    const arrived = await hook.has(3);
    const { audit_events: entries } = await waitUntil(
      async () => {
        const { body } = await succeeded(company.call('GET', '/audit_events?limit=3'));
        const [newest, , oldest] = body.audit_events;
        return newest.type === 'webhook.created' && oldest?.type === 'webhook.created' && body;
      },
      { what: 'both entries', timeoutMs: 100_000 },
    );
    const byTime = (one: { at: string }, other: { at: string }) => one.at.localeCompare(other.at);
    const data = arrived.map(({ body }) => body.data['audit_event']);
    expect(data.toSorted(byTime)).toEqual(entries.toSorted(byTime));
    // Delivered again later than what a delivery could have caused.
    await succeeded(company.call('PATCH', '/company', { city: 'Odense' }));
    const later = await hook.has(arrived.length + 1);
    expect(later).toHaveLength(arrived.length + 1);
    expect(await other.arrived()).toEqual([]);
  }, 200_000);

  it('a text in an event equals the one that REST shows', async () => {
    const texting = await startTexting();
    const hook = await subscribe(texting.company, ['message.received', 'message.status_changed']);
    const from = texting.customer();
    await texting.receive({ from, text: 'Are you open?' });
    const { message: received } = await dataOf(hook, 'message.received');
    expect((await texting.message(received.id)).body).toEqual(received);

    const sent = (
      await succeeded(texting.send({ to: from, text: 'Until five.', idempotency_key: newIdempotencyKey() }))
    ).body;
    const [submitted] = await texting.submitted(from);
    await texting.report(submitted!.provider_id, { status: 'delivered' });
    const event = await waitUntil(
      async () =>
        (await hook.arrived()).find(({ body: { data } }) => data['message'].status === 'delivered')?.body.data,
      { what: 'the delivery', timeoutMs: 100_000 },
    );
    expect(event).toEqual({ message: (await texting.message(sent.id)).body });
  }, 200_000);

  it('a call in an event equals the one that REST shows, with the field names that events have', async () => {
    const phones = await openPhoneCompany();
    const hook = await subscribe(phones.company, ['call.ended']);
    const ada = await phones.hire('Ada', true);
    const call = await phones.talk(await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] }), ada);
    await phones.over(call);
    const event = await dataOf(hook, 'call.ended');
    const { main_number, main_number_formatted, ...rest } = await phones.call(call.callId);
    // Fields of calls beyond the specification are not in the specification's events.
    for (const field of ['note', 'tags', 'on_hold', 'recording_paused', 'queue_position', 'waiting_secs', 'callback']) {
      expect(rest).toHaveProperty(field);
      delete rest[field];
    }
    expect(event).toEqual({
      ...rest,
      // Fields that are derived from the recording come later, and its address is signed for each request.
      recording_url: event['recording_url'],
      summary: null,
      transcription: null,
      transcription_segments: null,
      main_number_number: main_number,
      main_number_number_formatted: main_number_formatted,
      initiated_by: null,
      call_control_id: expect.any(String),
    });
  }, 200_000);
});
