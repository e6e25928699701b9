import { expect } from '../../expectations/expect.ts';
import { absent, exactly, listOf, listWith, matching } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { addressOfNobody, newWebhook, WEBHOOK } from './webhook.ts';

const { must } = checksOf('webhooks');
const ENDPOINTS = { source: 'service-api.md: Webhooks', profile: 'api' } as const;
const FIELDS = { source: 'service-api.md: Webhook subscription', profile: 'api' } as const;
const DECIDED = { source: 'decisions.md: Webhooks out', profile: 'api' } as const;
const SECRET = matching(/^whsec_.{16,}$/);

export const subscriptionChecks: readonly Check[] = [
  must(1, 'A new webhook is answered with 201 and all of its fields.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const sent = newWebhook();
    await company.post('/webhooks', sent).gives(201, { ...WEBHOOK, ...sent, active: true });
  }),

  must(2, 'The secret of a webhook is shown when it is made, and not again.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/webhooks', newWebhook()).gives(201, { secret: SECRET });
    await company.get(`/webhooks/${id}`).gives(200, { secret: absent });
    await company.patch(`/webhooks/${id}`, { name: 'Other' }).gives(200, { secret: absent });
    await company.get('/webhooks').gives(200, listOf({ secret: absent }));
  }),

  must(3, 'The list of webhooks is a bare array of whole webhooks.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { secret: _, ...made } = await company.post('/webhooks', newWebhook()).gives(201);
    const listed = await company.get('/webhooks').gives(200, listOf(WEBHOOK));
    expect(listed, listWith(exactly(made)), 'the list');
  }),

  must(4, 'A single webhook can be read.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const { secret: _, ...made } = await company.post('/webhooks', newWebhook()).gives(201);
    await company.get(`/webhooks/${made.id}`).gives(200, exactly(made));
  }),

  must(5, 'A change of a webhook leaves what it does not name as it was.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { secret: _, updated_at: before, ...made } = await company.post('/webhooks', newWebhook()).gives(201);
    const path = `/webhooks/${made.id}`;
    const changed = await company.patch(path, { name: 'Renamed' }).gives(200, { ...made, name: 'Renamed' });
    expect(changed.updated_at > before, true, 'whether `updated_at` is later than before');
    const url = addressOfNobody();
    await company.patch(path, { url }).gives(200, { ...made, name: 'Renamed', url });
    await company.get(path).gives(200, { ...made, name: 'Renamed', url });
  }),

  must(6, 'New events of a webhook replace the list that it had.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const events = ['number.registration_rejected', 'voicemail.new'];
    const { id } = await company.post('/webhooks', newWebhook({ events })).gives(201, { events });
    const others = ['number.registration_approved'];
    await company.patch(`/webhooks/${id}`, { events: others }).gives(200, { events: others });
    await company.get(`/webhooks/${id}`).gives(200, { events: others });
  }),

  must(7, 'A webhook is paused and goes on.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/webhooks', newWebhook()).gives(201);
    await company.patch(`/webhooks/${id}`, { active: false }).gives(200, { active: false });
    await company.get(`/webhooks/${id}`).gives(200, { active: false });
    await company.patch(`/webhooks/${id}`, { active: true }).gives(200, { active: true });
  }),

  must(8, 'A webhook that was deleted is gone.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/webhooks', newWebhook()).gives(201);
    await company.delete(`/webhooks/${id}`).givesNothing();
    await company.get(`/webhooks/${id}`).isNotFound();
    await company.patch(`/webhooks/${id}`, { active: false }).isNotFound();
    await company.delete(`/webhooks/${id}`).isNotFound();
    const listed = await company.get('/webhooks').gives(200);
    expect(
      listed.some((one: { id: string }) => one.id === id),
      false,
      'whether a deleted webhook is listed',
    );
  }),

  must(9, 'A rotation gives the webhook with a new secret.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    const { secret, ...made } = await company.post('/webhooks', newWebhook()).gives(201);
    const path = `/webhooks/${made.id}`;
    const { id, name, url, events, active } = made;
    const rotated = await company
      .post(`${path}/rotate_secret`)
      .gives(200, { id, name, url, events, active, secret: SECRET });
    expect(rotated.secret === secret, false, 'whether the secret is the one of before');
    await company.get(path).gives(200, { secret: absent });
  }),

  must(10, 'Two webhooks may have the same name, address and events.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const sent = newWebhook();
    const one = await company.post('/webhooks', sent).gives(201);
    const other = await company.post('/webhooks', sent).gives(201);
    expect(one.id === other.id, false, 'whether both have one id');
    expect(one.secret === other.secret, false, 'whether both have one secret');
  }),
];
