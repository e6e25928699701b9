import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Company, createTestCompany } from '../support/api.ts';
import { openHook } from './hooks.ts';

let company: Company;

beforeAll(async () => {
  company = await createTestCompany();
});

const good = () => ({ name: 'CRM', url: openHook(company).url, events: ['contact.created'] });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('a webhook', () => {
  it('a webhook is paused if it is created so', async () => {
    const own = await createTestCompany();
    const { status, body } = await own.call('POST', '/webhooks', { ...good(), active: false });
    expect([status, body.active]).toEqual([201, false]);
    expect((await own.call('POST', '/webhooks', { ...good(), active: 'no' })).body.errors).toHaveProperty('active');
  });

  it('a webhook is created active, with a secret that is shown once, and is listed oldest first in a bare array', async () => {
    const own = await createTestCompany();
    const fields = good();
    const created = await own.call('POST', '/webhooks', { ...fields, id: 'mine' });
    expect(created.status).toBe(201);
    const { secret, ...webhook } = created.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({ ...fields, id: expect.any(String), active: true, created_at: time, updated_at: time });
    const second = (await own.call('POST', '/webhooks', { ...fields, name: 'second' })).body;
    const list = await own.call('GET', '/webhooks');
    expect([list.status, list.body.map(({ name }: { name: string }) => name)]).toEqual([200, ['CRM', 'second']]);
    expect(list.body[0]).toEqual(webhook);
    expect((await own.call('GET', `/webhooks/${second.id}`)).body).not.toHaveProperty('secret');
    expect((await own.call('GET', `/webhooks/${webhook.id}`)).body).toEqual(webhook);
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ url: undefined }, 'url'],
    [{ url: 'http://example.com/hook' }, 'url'],
    [{ url: 'https://10.0.0.1/hook' }, 'url'],
    [{ url: 'https://[::ffff:169.254.169.254]/' }, 'url'],
    [{ url: 'https://localhost/hook' }, 'url'],
    [{ url: { $gt: '' } }, 'url'],
    [{ events: undefined }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: 'contact.created' }, 'events'],
    [{ events: ['contact.created', 'contact.exploded'] }, 'events[1]'],
    [{ events: ['webhook.test'] }, 'events[0]'],
  ])('a webhook cannot be made with %j', async (wrong, field) => {
    const { status, body } = await company.call('POST', '/webhooks', { ...good(), ...wrong });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', [field]]);
  });

  it('a webhook can subscribe to every event type of the specification, and to one under its former name', async () => {
    const events = [
      'call.initiated',
      'call.outside_business_hours',
      'call.outside_opening_hours',
      'call.queued',
      'call.answered',
      'call.ended',
      'call.lost',
      'call.transcription_done',
      'voicemail.new',
      'voicemail.transcription_done',
      'contact.created',
      'contact.updated',
      'contact.deleted',
      'employee.status.changed',
      'number.registration_approved',
      'number.registration_rejected',
      'message.received',
      'message.status_changed',
      'call.held',
      'call.resumed',
      'call.note_changed',
      'thread.assigned',
      'thread.state_changed',
      'assistant.session_started',
      'assistant.message_taken',
      'assistant.session_ended',
    ];
    const { status, body } = await company.call('POST', '/webhooks', { ...good(), events });
    expect([status, body.events]).toEqual([201, events]);
  });

  it('a webhook is updated field by field; its list of events is replaced', async () => {
    const { body: webhook } = await company.call('POST', '/webhooks', good());
    const { secret: _, ...before } = webhook;
    const change = { name: 'ERP', events: ['contact.deleted'], active: false };
    const updated = await company.call('PATCH', `/webhooks/${webhook.id}`, change);
    expect([updated.status, updated.body]).toEqual([200, { ...before, ...change, updated_at: time }]);
    const wrong = await company.call('PATCH', `/webhooks/${webhook.id}`, { active: 'no' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['active']]);
    const resumed = await company.call('PATCH', `/webhooks/${webhook.id}`, { active: true });
    expect(resumed.body).toMatchObject({ name: 'ERP', active: true });
  });

  it('a webhook of another company does not exist', async () => {
    const { body: webhook } = await company.call('POST', '/webhooks', good());
    const otherCompany = await createTestCompany();
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate_secret'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/whd_0/retry'],
      ['POST', '/test'],
    ];
    for (const [method, below, body] of calls) {
      for (const id of [webhook.id, 'whk_unknown']) {
        const answer = await otherCompany.call(method, `/webhooks/${id}${below}`, body);
        expect([method, below, answer.status, answer.body]).toEqual([method, below, 404, { error: 'not_found' }]);
      }
    }
  });

  it('a webhook signs with both secrets after a rotation', async () => {
    const hook = openHook(company);
    const { body: webhook } = await company.call('POST', '/webhooks', { ...good(), url: hook.url });
    const rotated = await company.call('POST', `/webhooks/${webhook.id}/rotate_secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body).toMatchObject({ id: webhook.id, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.body.secret).not.toBe(webhook.secret);
    await company.call('POST', `/webhooks/${webhook.id}/test`);
    const [test] = await hook.has(1);
    for (const secret of [webhook.secret, rotated.body.secret]) {
      expect(new Webhook(secret).verify(test!.raw_body, test!.headers)).toMatchObject({ event: 'webhook.test' });
    }
  });
});
