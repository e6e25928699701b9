import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Refused, refusal } from '@parley/errors';
import {
  EmployeeCopyService,
  EmployeePresenceService,
  PhoneRegistrationService,
} from '@parley/proto/call_control/v1/presence_pb';
import type { DirectoryEmployee, EmployeeDirectory } from '../employees/directory-client.ts';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { hasRole } from '@parley/actor';
import { employees, type RpcClient, type RpcServer, services } from '@parley/rpc';
import { atRiskNumbers } from './do-not-disturb.ts';
import { isActive } from './presence.ts';
import { presenceToProto } from './presence-proto.ts';
import type { Presences } from './presence-store.ts';

interface PresenceDeps {
  readonly presences: Presences;
  readonly routing: Pick<RpcClient<typeof RoutingService>, 'listNumbersTargeting'>;
  readonly directory: EmployeeDirectory;
  /** Takes a copy of directory's record, with everything that follows from it. */
  readonly applyEmployee: (employee: DirectoryEmployee) => Promise<void>;
}

/** Every RPC of the contracts. */
export function addPresenceServices(server: RpcServer, deps: PresenceDeps): void {
  const { presences, routing, directory, applyEmployee } = deps;
  server.add(EmployeePresenceService, employees.withRole('member'), {
    async listPresences({ employeeIds }, { principal: { companyId } }) {
      const found = await presences.of(companyId).list(employeeIds.length === 0 ? undefined : employeeIds);
      return { presences: found.map(presenceToProto) };
    },
    /** An employee without a presence yet has do-not-disturb disabled; the existence of the employee is checked by directory. */
    async getDoNotDisturb({ employeeId }, { principal: { companyId } }) {
      const own = presences.of(companyId);
      const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId });
      const group = new Set([employeeId, ...numbers.flatMap((number) => number.incomingCallEmployeeIds)]);
      const known = new Map((await own.list([...group])).map((presence) => [presence.id, presence]));
      const atRisk = atRiskNumbers(employeeId, numbers, (id) => known.get(id)?.status ?? 'logged_out');
      const presence = known.get(employeeId);
      // No number depends on somebody whom nothing rings.
      const isRung = !presence || isActive(presence);
      return {
        ...(presence && { presence: presenceToProto(presence) }),
        atRiskNumbers: (isRung ? atRisk : []).map(({ id, name }) => ({ id, name })),
      };
    },
    async setDoNotDisturb({ employeeId, enabled, expiresAt }, { principal }) {
      // A member for oneself only; decided before the employee is looked up.
      if (employeeId !== principal.employeeId && !hasRole(principal.role, 'admin'))
        throw new Refused(refusal('forbidden', 'forbidden'));
      const change = enabled
        ? ({ enabled, expiresAt: expiresAt ? timestampDate(expiresAt) : null } as const)
        : ({ enabled: false } as const);
      const presence = await presences
        .of(principal.companyId)
        .setDoNotDisturb(employeeId, change, principal.employeeId);
      return { presence: presenceToProto(presence) };
    },
  });
  server.add(EmployeeCopyService, services('directory'), {
    async refreshEmployeeCopy({ employeeId }) {
      const employee = await directory.find(employeeId);
      if (employee) await applyEmployee(employee);
      return {};
    },
  });
  server.add(PhoneRegistrationService, services('sandbox'), {
    async listPhoneRegistrations({ employeeId }) {
      const companyId = await presences.companyOf(employeeId);
      const presence = companyId === undefined ? undefined : await presences.of(companyId).get(employeeId);
      return { callIds: presence?.leases.flatMap(({ contact }) => contact?.callId ?? []) ?? [] };
    },
  });
}
