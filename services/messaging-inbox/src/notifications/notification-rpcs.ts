import { decided, notFound, Refused, refusal } from '@parley/errors';
import { NotificationService, type Notifications } from '@parley/proto/messaging_inbox/v1/notifications_pb';
import { hasRole } from '@parley/actor';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import { choicesOf, type NotificationChoices, enabledOf } from './notification-settings.ts';
import type { NotificationDeps } from './notification-store.ts';

/** Every RPC of the contract. */
export function addNotificationService(
  server: RpcServer,
  { settings, directory }: Pick<NotificationDeps, 'settings' | 'directory'>,
): void {
  /** A member for oneself only; decided before the employee is looked up. */
  async function checkEmployee({ companyId, employeeId: ownId, role }: EmployeePrincipal, employeeId: string) {
    if (employeeId !== ownId && !hasRole(role, 'admin')) throw new Refused(refusal('forbidden', 'forbidden'));
    if (!(await directory.employeeNames(companyId, [employeeId])).has(employeeId)) throw new Refused(notFound);
  }

  server.add(NotificationService, employees.withRole('member'), {
    async getNotifications({ employeeId }, { principal }) {
      await checkEmployee(principal, employeeId);
      return { notifications: toProto(choicesOf(await settings.of(principal.companyId).get(employeeId))) };
    },
    async replaceNotifications({ employeeId, notifications }, { principal }) {
      await checkEmployee(principal, employeeId);
      const { companyId } = principal;
      const choices = fromProto(notifications);
      const enabled = enabledOf(choices);
      // Whoever wants nothing has no settings, like everybody at first.
      const stored = enabled.length > 0 ? { id: employeeId, companyId, enabled } : null;
      await settings.of(companyId).upsert(employeeId, () => decided(stored));
      await settings.seenByAll();
      return { notifications: toProto(choices) };
    },
  });
}

function toProto({ missed_call: missedCall, ...others }: NotificationChoices) {
  return { missedCall, ...others };
}

function fromProto(given: Notifications | undefined): NotificationChoices {
  const ways = ({ email = false, push = false } = {}) => ({ email, push });
  return {
    missed_call: ways(given?.missedCall),
    voicemail: ways(given?.voicemail),
    text: ways(given?.text),
    assigned: ways(given?.assigned),
    assistant: ways(given?.assistant),
  };
}
