import { type Check, checksOf } from '../check.ts';
import { addressOfNobody, newWebhook } from './webhook.ts';

const { must } = checksOf('webhooks');
const ENDPOINTS = { source: 'service-api.md: Webhooks', profile: 'api' } as const;
const DECIDED = { source: 'decisions.md: Webhooks out', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;
const EVENT_TYPES = { source: 'service-api.md: Webhook deliveries', profile: 'api' } as const;

const ALL_EVENTS = [
  'call.initiated',
  'call.outside_business_hours',
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
];

export const validationChecks: readonly Check[] = [
  must(20, 'A webhook needs a name, an address and events.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    for (const field of ['name', 'url', 'events'])
      await company.post('/webhooks', newWebhook({ [field]: undefined })).isRefused(422, { field });
  }),

  must(21, 'The address of a webhook is https.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    for (const url of ['http://hook.conformance.invalid/', 'ftp://hook.conformance.invalid/', 'hook', '', '//hook'])
      await company.post('/webhooks', newWebhook({ url })).isRefused(422, { field: 'url' });
    const { id, url } = await company.post('/webhooks', newWebhook()).gives(201);
    await company
      .patch(`/webhooks/${id}`, { url: 'http://hook.conformance.invalid/' })
      .isRefused(422, { field: 'url' });
    await company.get(`/webhooks/${id}`).gives(200, { url });
  }),

  must(22, 'A webhook has no address inside of a network.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const hosts = [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '[::1]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
    ];
    for (const host of hosts)
      await company.post('/webhooks', newWebhook({ url: `https://${host}/hook` })).isRefused(422, { field: 'url' });
  }),

  must(23, 'An address inside of a network is refused however it is written.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    for (const host of ['2130706433', '0x7f000001', '127.1', '0177.0.0.1', '127.0.0.1.'])
      await company.post('/webhooks', newWebhook({ url: `https://${host}/hook` })).isRefused(422, { field: 'url' });
  }),

  must(24, 'A webhook may have a host that does not resolve yet.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const url = addressOfNobody();
    await company.post('/webhooks', newWebhook({ url })).gives(201, { url });
  }),

  must(25, 'A webhook can name every event of the specification.', EVENT_TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company
      .post('/webhooks', newWebhook({ events: ALL_EVENTS, url: addressOfNobody() }))
      .gives(201);
    const { events } = await company.get(`/webhooks/${id}`).gives(200);
    await company.delete(`/webhooks/${id}`).givesNothing();
    for (const name of ALL_EVENTS)
      if (!events.includes(name)) await company.post('/webhooks', newWebhook({ events: [name] })).gives(201);
  }),

  must(26, 'A webhook can name an event by its older name.', EVENT_TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const events = ['call.outside_opening_hours'];
    const { id } = await company.post('/webhooks', newWebhook({ events })).gives(201, { events });
    await company.get(`/webhooks/${id}`).gives(200, { events });
  }),

  must(27, 'A webhook can name the events of texts.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const events = ['message.received', 'message.status_changed'];
    const { id } = await company.post('/webhooks', newWebhook({ events })).gives(201, { events });
    await company.delete(`/webhooks/${id}`).givesNothing();
  }),

  must(28, 'An event type that nobody knows is refused.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    for (const unknown of ['contact.exploded', 'contact.*', '', 'CONTACT.CREATED']) {
      const events = ['number.registration_rejected', unknown];
      await company.post('/webhooks', newWebhook({ events })).isRefused(422);
    }
    const { id, events } = await company.post('/webhooks', newWebhook()).gives(201);
    await company.patch(`/webhooks/${id}`, { events: ['contact.exploded'] }).isRefused(422);
    await company.get(`/webhooks/${id}`).gives(200, { events });
  }),

  must(29, 'A value of the wrong type is refused with the field named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/webhooks', newWebhook()).gives(201);
    for (const [field, value] of [
      ['name', 7],
      ['name', { $gt: '' }],
      ['url', ['https://hook.conformance.invalid/']],
      ['events', 'voicemail.new'],
    ] as const) {
      await company.post('/webhooks', newWebhook({ [field]: value })).isRefused(422, { field });
      await company.patch(`/webhooks/${id}`, { [field]: value }).isRefused(422, { field });
    }
    await company.patch(`/webhooks/${id}`, { active: 'yes' }).isRefused(422, { field: 'active' });
  }),

  must(30, 'Fields that a webhook does not have are ignored.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const sent = newWebhook({ id: 'whk_mine', colour: 'blue', created_at: '2001-01-01T00:00:00.000Z' });
    const made = await company.post('/webhooks', sent).gives(201);
    await company
      .patch(`/webhooks/${made.id}`, { id: 'whk_mine', created_at: '2001-01-01T00:00:00.000Z' })
      .gives(200, { id: made.id, created_at: made.created_at });
    await company.get('/webhooks/whk_mine').isNotFound();
  }),
];
