import type { CallInput } from '../calls/model/call-input.ts';
import type { OpenCall } from '../calls/model/open-call.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';

/** Ends the calls of a company that is suspended, and supervisions in one that has disabled them. May be repeated. */
export type CompanyChange = (company: { id: string; suspended: boolean; supervisionEnabled: boolean }) => Promise<void>;

/** New calls of a suspended company are rejected when they arrive, so that there is a last page. */
export function companyChange(deps: {
  calls: Pick<Calls, 'openPages'>;
  runner: Pick<CallRunner, 'apply'>;
}): CompanyChange {
  return async (company) => {
    if (company.supervisionEnabled && !company.suspended) return;
    const failures: unknown[] = [];
    for await (const page of deps.calls.openPages(company.id)) {
      const outcomes = await Promise.allSettled(page.map((call) => end(company, call)));
      failures.push(
        ...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])),
      );
    }
    // After the others: the event is applied again.
    if (failures.length > 0) throw failures[0];
  };

  async function end({ id: companyId, suspended }: Parameters<CompanyChange>[0], call: OpenCall): Promise<void> {
    const input = suspended ? ({ type: 'company_suspended' } as const) : endOfSupervision(call);
    if (input) await deps.runner.apply({ companyId, id: call.id }, input);
  }
}

function endOfSupervision({ supervision }: OpenCall): CallInput | undefined {
  return supervision ? { type: 'end_supervision', actorId: supervision.supervisor.id } : undefined;
}
