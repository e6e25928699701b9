import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RunningCommands } from '@parley/aggregates';
import type { EmployeeCopyService } from '@parley/proto/call_control/v1/presence_pb';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { DeactivationReportService } from '@parley/proto/identity/v1/deactivations_pb';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import { isActive, numbersRingingNobody } from './deactivation.ts';
import type { Employees } from './employee-store.ts';

/** After a crash between a deactivation and what follows from it, another process takes over. */
const LEASE_MS = 3000;

/** Has other services follow whether employees are active. What fails, or whose process ends, is repeated. */
export function startEmployeeCommands(
  employees: Employees,
  peers: {
    readonly credentials: Pick<RpcClient<typeof CredentialService>, 'refreshEmployee'>;
    readonly copies: RpcClient<typeof EmployeeCopyService>;
    readonly reports: RpcClient<typeof DeactivationReportService>;
    readonly routing: Pick<RpcClient<typeof RoutingService>, 'listNumbersTargeting'>;
  },
): RunningCommands {
  const { credentials, copies, reports, routing } = peers;

  /** Both, whether or not the other one is there: each of them alone stops something. */
  async function refreshCopies(employeeId: string): Promise<void> {
    const outcomes = await Promise.allSettled([
      credentials.refreshEmployee({ employeeId }),
      copies.refreshEmployeeCopy({ employeeId }),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async function report(companyId: string, employeeId: string): Promise<void> {
    const own = employees.of(companyId);
    const employee = await own.get(employeeId);
    if (!employee?.deactivatedAt) return;
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId });
    const known = await employees.byIds(
      companyId,
      numbers.flatMap(({ incomingCallEmployeeIds }) => incomingCallEmployeeIds),
    );
    const activeIds = new Set([...known.values()].filter(isActive).map(({ id }) => id));
    const ringingNobody = numbersRingingNobody(numbers, employeeId, activeIds);
    await reports.reportDeactivation({
      companyId,
      employeeId,
      deactivatedAt: timestampFromDate(employee.deactivatedAt),
      businessNumberNames: ringingNobody.map(({ name }) => name),
    });
  }

  return employees.startCommands<{ refresh_copies: void; report_deactivation: void }>(
    {
      refresh_copies: {
        guarantee: 'until_confirmed',
        execute: (_command, { aggregateId }) => refreshCopies(aggregateId),
        needsSettling: () => false,
      },
      report_deactivation: {
        guarantee: 'until_confirmed',
        unordered: true,
        execute: (_command, { companyId, aggregateId }) => report(companyId, aggregateId),
        needsSettling: () => false,
      },
    },
    { leaseMs: LEASE_MS },
  );
}
