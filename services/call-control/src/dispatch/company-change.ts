import type { CallInput } from '../calls/model/call-input.ts';
import type { OpenCall } from '../calls/model/call.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';

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
