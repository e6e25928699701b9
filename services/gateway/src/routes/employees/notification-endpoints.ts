import { endpoint, json } from '@parley/http';
import type { Notifications } from '@parley/proto/messaging_inbox/v1/notifications_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { isOwnOrAdmins } from './employee-rules.ts';

export const notificationEndpoints = (clients: Clients) => [getNotifications(clients), replaceNotifications(clients)];

const ways = z.object({ email: z.boolean(), push: z.boolean() });

const kinds = {
  missed_call: ways.describe('Calls that nobody answered'),
  voicemail: ways.describe('Voicemails; the e-mail has the transcript'),
  text: ways.describe('Texts that are received'),
  assigned: ways.describe('Threads that a coworker assigns to the employee, and comments that mention them'),
};
const assistantKind = ways.describe('Messages that assistants take, and callers who want to be called back');

const notificationsSchema = z.object({ ...kinds, assistant: assistantKind }).meta({ id: 'Notifications' });
const replacementSchema = z.object({ ...kinds, assistant: assistantKind.optional() }).meta({ id: 'NotificationsBody' });

const getNotifications = ({ notifications }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    permits: isOwnOrAdmins,
    route: 'GET /employees/:id/notifications',
    sdkMethod: 'employees.getNotifications',
    summary: 'Read what an employee is notified of',
    description: 'Everything is off at first. Members read their own settings, admins anybody’s.',
    responses: { 200: notificationsSchema },
    errors: [404],
    async handle({ params, context }) {
      const found = await notifications.getNotifications({ employeeId: params.id }, { as: context });
      return json(200, notificationsJson(found.notifications));
    },
  });

const replaceNotifications = ({ notifications }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    permits: isOwnOrAdmins,
    route: 'PUT /employees/:id/notifications',
    sdkMethod: 'employees.setNotifications',
    summary: 'Change what an employee is notified of',
    description:
      'Replaces all settings; `assistant` is off when it is left out. E-mails about calls, voicemails and texts go to the assignee of the thread, or to everybody who wants them when it has none; at most one about a thread in ten minutes, the next one has what happened meanwhile. Push messages go at once to the browsers of `POST /push_subscriptions`; a newer one about a thread replaces the one before. Members change their own settings, admins anybody’s.',
    body: replacementSchema,
    responses: { 200: notificationsSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { missed_call: missedCall, assistant, ...others } = body;
      const given = {
        employeeId: params.id,
        notifications: { missedCall, ...others, ...(assistant && { assistant }) },
      };
      const stored = await notifications.replaceNotifications(given, { as: context });
      return json(200, notificationsJson(stored.notifications));
    },
  });

function notificationsJson(found: Notifications | undefined): z.output<typeof notificationsSchema> {
  const shown = ({ email = false, push = false } = {}) => ({ email, push });
  return {
    missed_call: shown(found?.missedCall),
    voicemail: shown(found?.voicemail),
    text: shown(found?.text),
    assigned: shown(found?.assigned),
    assistant: shown(found?.assistant),
  };
}
