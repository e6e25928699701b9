import { empty, endpoint, json } from '@parley/http';
import type { PushSubscription } from '@parley/proto/messaging_inbox/v1/push_subscriptions_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { undoIfEnded } from '../../credentials/verify-with-identity.ts';
import { browserName } from '../../pages/browser-name.ts';
import type { Clients } from '../../peers/peers.ts';
import { isoTimeOf } from '@parley/public-json';

export const pushSubscriptionEndpoints = (clients: Clients) => [
  listPushSubscriptions(clients),
  createPushSubscription(clients),
  deletePushSubscription(clients),
];

const pushSubscriptionSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('What the browser is called, such as “Firefox on Windows”'),
    created_at: z.string(),
    current: z.boolean().describe('Whether it was added with the credential of the request'),
  })
  .meta({ id: 'PushSubscription' });

const listPushSubscriptions = ({ pushSubscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /push_subscriptions',
    sdkMethod: 'pushSubscriptions.list',
    summary: 'List push subscriptions',
    description:
      'The employee’s own, oldest first. `public_key` is the `applicationServerKey` with which a browser subscribes.',
    responses: { 200: z.object({ push_subscriptions: z.array(pushSubscriptionSchema), public_key: z.string() }) },
    async handle({ context }) {
      const found = await pushSubscriptions.listPushSubscriptions({}, { as: context });
      const shown = found.pushSubscriptions.map(pushSubscriptionJson);
      return json(200, { push_subscriptions: shown, public_key: found.publicKey });
    },
  });

const createPushSubscription = ({ credentials, pushSubscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /push_subscriptions',
    sdkMethod: 'pushSubscriptions.create',
    summary: 'Create a push subscription',
    description:
      'What the browser’s `PushManager.subscribe` answered. It lasts until the credential it was made with ends, or the browser ends it; at most 20 of an employee, of which the oldest gives way. The same browser again replaces its subscription. `PUT /employees/:id/notifications` says what is pushed.',
    body: z.object({
      endpoint: z.string().max(2048).describe('At the browser’s push service; https'),
      keys: z.object({ p256dh: z.string().max(200), auth: z.string().max(100) }),
      language: z.enum(['en', 'da', 'de']).default('en').describe('Of the messages'),
    }),
    responses: { 201: pushSubscriptionSchema },
    errors: [422],
    async handle({ body, context, request }) {
      const name = browserName(request.headers['user-agent'] ?? '');
      const { endpoint: address, keys, language } = body;
      const given = { endpoint: address, ...keys, language, name };
      const { pushSubscription } = await pushSubscriptions.createPushSubscription(given, { as: context });
      await undoIfEnded({ credentials }, context, () =>
        pushSubscriptions.deletePushSubscription({ id: pushSubscription!.id }, { as: context }),
      );
      return json(201, pushSubscriptionJson(pushSubscription!));
    },
  });

const deletePushSubscription = ({ pushSubscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /push_subscriptions/:id',
    sdkMethod: 'pushSubscriptions.delete',
    summary: 'Delete a push subscription',
    description: 'One of the employee’s own. The browser gets no more messages.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await pushSubscriptions.deletePushSubscription({ id: params.id }, { as: context });
      return empty(204);
    },
  });

function pushSubscriptionJson({ id, name, createdAt, current }: PushSubscription) {
  return { id, name, created_at: isoTimeOf(createdAt), current };
}
