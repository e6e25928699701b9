import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { type HeldLease, type Presences, addConversationLease } from '../../presence/presence-store.ts';
import { offersOf } from '../../calls/model/derived-fields.ts';
import { openTransfer } from '../../calls/model/transfer.ts';
import type { Call } from '../../calls/model/call.ts';
import type { CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { EmployeeDispatch } from '../../dispatch/employee-dispatch.ts';
import { attempt } from './reconcile-calls.ts';
import type { SwitchReaders } from './start-switch-readers.ts';
import { waitsFor } from '../../calls/decide/queue.ts';

/** The presence leases of a call: conversations and ring offers. */
function leasesOf(call: Call): readonly HeldLease[] {
  const { companyId, id, phase, transfers, supervision, takeover } = call;
  const transfer = openTransfer(transfers);
  const conversation = (employeeId: string) => ({ companyId, employeeId, kind: 'conversation', id }) as const;
  const offer = (employeeId: string) => ({ companyId, employeeId, kind: 'ring_offer', id }) as const;
  return [
    ...('employee' in phase ? [conversation(phase.employee.id)] : []),
    ...(supervision ? [(supervision.hasAnswered ? conversation : offer)(supervision.supervisor.id)] : []),
    ...(takeover ? [offer(takeover.employee.id)] : []),
    ...(takesOver(phase) ? [conversation(takesOver(phase)!)] : []),
    ...offersOf(phase).map(({ employee }) => offer(employee.id)),
    ...(transfer?.to && transfer.state === 'ringing' ? [offer(transfer.to.id)] : []),
    ...(transfer?.to && transfer.state === 'consulting' ? [conversation(transfer.to.id)] : []),
  ];
}

/** The employee who takes over from an assistant, without a transfer. */
function takesOver(phase: Call['phase']): string | undefined {
  if (phase.kind !== 'assisted' || phase.stage.kind !== 'handing_over' || phase.stage.actionId !== null)
    return undefined;
  return phase.stage.to?.id;
}

const SWEEP_MS = 2000;
const WAITING_MAX = 500;
/**
 * Timers and changes of status offer calls. This is for what neither reports: a process that crashed between claiming an
 * employee and ringing, and a broker that is down.
 */
const DISPATCH_EVERY_MS = 10_000;

/**
 * Renews the presence leases of calls on the switches that this process reads; offers waiting calls to employees again,
 * in case a process crashed between claiming one and ringing. Ends the calls of lost switches, and moves callbacks away from drained ones.
 */
export function startCallMaintenance(deps: {
  calls: Calls;
  runner: CallRunner;
  presences: Pick<Presences, 'of' | 'renewLeases' | 'leaseMs'>;
  dispatch: EmployeeDispatch;
  readers: Pick<SwitchReaders, 'owned' | 'withCalls' | 'drainedSwitches' | 'lostSwitches'>;
  clock: Clock;
  log: Logger;
}): { stop(): Promise<void> } {
  const { calls, runner, presences, dispatch, readers, clock, log } = deps;
  const stopping = new AbortController();
  let renewedAt = 0;
  let dispatchedAt = performance.now();

  async function renew(): Promise<void> {
    if (performance.now() - renewedAt < presences.leaseMs / 4) return;
    renewedAt = performance.now();
    // No others hold leases.
    for (const name of readers.withCalls()) {
      const leases: HeldLease[] = [];
      for await (const call of calls.openOn(name)) leases.push(...leasesOf(call));
      for (const expired of await presences.renewLeases(leases)) await attempt(log, () => leaseExpired(expired));
    }
  }

  async function leaseExpired({ companyId, employeeId, kind, id }: HeldLease): Promise<void> {
    if (kind === 'ring_offer') await runner.apply({ companyId, id }, { type: 'withdraw_offer', employeeId });
    else if (await isInConversation({ companyId, id }, employeeId))
      await addConversationLease(presences, { companyId, employeeId, callId: id });
  }

  async function isInConversation(key: { companyId: string; id: string }, employeeId: string): Promise<boolean> {
    const call = await calls.of(key.companyId).get(key.id);
    return !!call && leasesOf(call).some((lease) => lease.kind === 'conversation' && lease.employeeId === employeeId);
  }

  async function dispatchWaiting(): Promise<void> {
    if (readers.owned().length === 0 || performance.now() - dispatchedAt < DISPATCH_EVERY_MS) return;
    dispatchedAt = performance.now();
    const now = clock.now();
    for await (const call of calls.waiting(WAITING_MAX)) {
      const wanted = call.waitingFor.filter((employeeId) => waitsFor(call, employeeId, now));
      const available = wanted.length === 0 ? [] : await presences.of(call.companyId).available(wanted);
      if (available.length > 0) await attempt(log, () => dispatch.dispatchCall(call));
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { drainedSwitches, lostSwitches } = readers;
      for (const work of [renew, dispatchWaiting, () => drainedSwitches.sweep(), () => lostSwitches.sweep()])
        await work().catch((error: unknown) => log.warn({ err: error }, 'the maintenance of calls failed; retrying'));
      await sleep(SWEEP_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
