import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { endedCredentials, type EventHandler } from '@parley/events';
import type { FollowsEvents } from '@parley/service';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { leaveCalls } from '../dispatch/calls-of-employee.ts';
import type { EmployeeDispatch } from '../dispatch/employee-dispatch.ts';
import { directoryEmployee } from '../employees/directory-client.ts';
import { employeeStatusFromProto } from '../presence/presence-proto.ts';
import type { Registrations } from '../presence/registrations.ts';
import { callerTextOf } from '../search/caller-text-client.ts';
import type { SearchIndex } from '../search/search-store.ts';
import { endSessionsOf } from '../softphone-sessions/softphone-session.ts';
import type { CallInput } from '../calls/model/call-input.ts';
import { applyEmployee, type EmployeeDeps } from './apply-employee.ts';
import type { OpenCall } from '../calls/model/call.ts';

/** Keeps the copies of directory's employees and caller contexts, ends softphone sessions with their credentials, and notifies this service's own calls of status changes. */
export async function startFollowers(
  service: FollowsEvents,
  deps: FollowerDeps & { readonly dispatch: EmployeeDispatch; readonly search: SearchIndex },
): Promise<void> {
  await service.follow({
    name: 'call-control-employees',
    handlers: {
      'directory.employee.created': onEmployeeChanged(deps),
      'directory.employee.updated': onEmployeeChanged(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
      'directory.company.updated': async ({ company }) => company && changeCompany(deps, company),
    },
  });
  await service.follow({
    name: 'call-control-credentials',
    handlers: {
      'identity.credential.revoked': onCredentialRevoked(deps),
      'identity.api_key.created': onCredentialCreated,
      'identity.grant.created': onCredentialCreated,
      'identity.employee.signed_in': onCredentialCreated,
    },
  });
  await service.follow({
    name: 'call-control-caller-contexts',
    handlers: { 'directory.caller_context.saved': onCallerContextSaved(deps.search) },
  });
  await service.follow({
    name: 'call-control-employee-status',
    handlers: {
      'call-control.employee_status.changed': onEmployeeStatus(deps.dispatch),
      'call-control.employee_status.ended': onEmployeeStatus(deps.dispatch),
    },
  });
}

/** Both events carry the whole record. */
const onEmployeeChanged =
  (deps: FollowerDeps): EventHandler<'directory.employee.created' | 'directory.employee.updated'> =>
  async ({ employee }) => {
    if (employee) await applyEmployee(deps, directoryEmployee(employee));
  };

/** A switch that cannot be reached keeps the registration until it expires; the phone cannot refresh it. */
const onEmployeeDeleted =
  (deps: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }) => {
    const { presences, softphoneSessions, dropRegistration } = deps;
    if (!employee) return;
    const own = presences.of(employee.companyId);
    const contacts = (await own.get(employee.id))?.leases.flatMap(({ contact }) => contact ?? []) ?? [];
    await softphoneSessions.of(employee.companyId).changeIfExists(employee.id, () => decided(null));
    await own.remove(employee.id);
    // First, so that a call that was being offered to them does not ring any more.
    await Promise.allSettled(contacts.map((contact) => dropRegistration(employee.id, contact)));
    await leaveCalls(deps, employee.companyId, employee.id);
  };

/**
 * Ends the softphone sessions that were made with a credential, and their registrations. A switch that cannot be reached keeps a
 * registration until it expires; the phone cannot refresh it.
 */
const onCredentialRevoked =
  ({
    softphoneSessions,
    registrations,
    dropRegistration,
    clock,
  }: FollowerDeps): EventHandler<'identity.credential.revoked'> =>
  async (revoked, { companyId, occurredAt }) => {
    const { employeeId } = revoked;
    const ended = endedCredentials(revoked, occurredAt);
    const own = softphoneSessions.of(companyId);
    if (!ended || !(await own.get(employeeId))) return;
    const { outcome } = await own.changeWithOutcome(employeeId, (current) =>
      endSessionsOf(current, ended, clock.now()),
    );
    for (const sessionId of outcome) {
      const contacts = await registrations.endOfSession({ id: employeeId, companyId }, sessionId);
      await Promise.allSettled(contacts.map((contact) => dropRegistration(employeeId, contact)));
    }
  };

/** Other events of credentials: not followed, they would delay the end of the same credential. */
const onCredentialCreated = async (): Promise<void> => {};

/** Earlier calls of the caller are found by what is known now. */
const onCallerContextSaved =
  (search: SearchIndex): EventHandler<'directory.caller_context.saved'> =>
  async ({ phone, context }, { companyId }) => {
    await search.updateCaller(companyId, phone, callerTextOf(context));
  };

type StatusEvent = 'call-control.employee_status.changed' | 'call-control.employee_status.ended';

/** Notifies calls of a change by any replica. */
const onEmployeeStatus =
  (dispatch: EmployeeDispatch): EventHandler<StatusEvent> =>
  async (message) => {
    const change = employeeStatusFromProto(message);
    if (change) await dispatch.onStatus(change);
  };

interface FollowerDeps extends EmployeeDeps {
  readonly registrations: Registrations;
  readonly clock: Clock;
}

/**
 * Ends the calls of a company that is suspended, and supervisions in one that has disabled them. May be repeated. New calls of a
 * suspended company are rejected when they arrive, so that there is a last page.
 */
export async function changeCompany(
  { calls, runner }: { calls: Pick<Calls, 'openPages'>; runner: Pick<CallRunner, 'apply'> },
  { id: companyId, suspended, supervisionEnabled }: { id: string; suspended: boolean; supervisionEnabled: boolean },
): Promise<void> {
  if (supervisionEnabled && !suspended) return;
  const failures: unknown[] = [];
  for await (const page of calls.openPages(companyId)) {
    const ended = page.map(async (call) => {
      const input = suspended ? ({ type: 'company_suspended' } as const) : endOfSupervision(call);
      if (input) await runner.apply({ companyId, id: call.id }, input);
    });
    for (const outcome of await Promise.allSettled(ended))
      if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  // After the others: the event is applied again.
  if (failures.length > 0) throw failures[0];
}

function endOfSupervision({ supervision }: OpenCall): CallInput | undefined {
  return supervision ? { type: 'end_supervision', actorId: supervision.supervisor.id } : undefined;
}
