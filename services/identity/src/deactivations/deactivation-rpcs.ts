import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import {
  DeactivationReportService,
  type UsedCredentialSchema,
  UsedCredentialService,
} from '@parley/proto/identity/v1/deactivations_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import type { SendAlert } from '../alerts/send-alert.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import { deactivationAlert } from './deactivation-alert.ts';

interface DeactivationDeps {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly grants: Grants;
  readonly sendAlert: SendAlert;
  readonly clock: Clock;
}

const USED_WITHIN_MS = 30 * 24 * 3600 * 1000;

interface Used {
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: Date;
}

/** Every RPC of the contracts. */
export function addDeactivationServices(server: RpcServer, deps: DeactivationDeps): void {
  const { accounts, sendAlert, clock } = deps;
  server.add(UsedCredentialService, employees.withRole('admin'), {
    async listUsedCredentials({ employeeId }, { principal: { companyId } }) {
      const { apiKeys, connectedApps } = await usedCredentials(deps, companyId, employeeId, clock.now());
      return { apiKeys: apiKeys.map(toProto), connectedApps: connectedApps.map(toProto) };
    },
  });
  server.add(DeactivationReportService, services('directory'), {
    async reportDeactivation({ companyId, employeeId, deactivatedAt, businessNumberNames }) {
      const account = await accounts.find(employeeId);
      if (account?.companyId !== companyId || !deactivatedAt) return {};
      const at = timestampDate(deactivatedAt);
      const { apiKeys, connectedApps } = await usedCredentials(deps, companyId, employeeId, at);
      const alert = deactivationAlert({
        name: account.name,
        role: account.role,
        apiKeys: apiKeys.map(({ name }) => name),
        connectedApps: connectedApps.map(({ name }) => name),
        businessNumbers: businessNumberNames,
      });
      if (alert) await sendAlert(companyId, alert, at);
      return {};
    },
  });
}

/** The last used first; an app that was allowed several times once. */
async function usedCredentials(
  { apiKeys, grants }: DeactivationDeps,
  companyId: string,
  employeeId: string,
  until: Date,
) {
  const since = new Date(until.getTime() - USED_WITHIN_MS);
  const keys: Used[] = [];
  for await (const { id, name, lastUsedAt } of apiKeys.usedSince(companyId, employeeId, since))
    if (lastUsedAt) keys.push({ id, name, lastUsedAt });
  const apps = new Map<string, Used>();
  for await (const { clientId: id, clientName: name, lastUsedAt } of grants.usedSince(companyId, employeeId, since)) {
    const known = apps.get(id);
    if (lastUsedAt && (!known || lastUsedAt > known.lastUsedAt)) apps.set(id, { id, name, lastUsedAt });
  }
  return { apiKeys: newestFirst(keys), connectedApps: newestFirst([...apps.values()]) };
}

function newestFirst(used: readonly Used[]): readonly Used[] {
  return used.toSorted((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime());
}

function toProto({ id, name, lastUsedAt }: Used): MessageInitShape<typeof UsedCredentialSchema> {
  return { id, name, lastUsedAt: timestampFromDate(lastUsedAt) };
}
