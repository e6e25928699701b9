import { eventually } from '../../expectations/eventually.ts';
import { mismatch, type Shape } from '../../expectations/shapes.ts';
import { Failure } from '../../expectations/failure.ts';
import type { ApiClient } from '../../http/api-client.ts';

export const REPORTS = { source: 'reports.md: Reports: what happened on the phone', profile: 'full' } as const;

/** What a row of calls has besides its key. */
export const NO_CALLS = {
  total: 0,
  inbound: 0,
  outbound: 0,
  answered: 0,
  missed: 0,
  voicemails: 0,
  abandoned: 0,
  talk_secs_total: 0,
  answered_within_20s: 0,
};
export const NO_MESSAGES = { sent: 0, received: 0, delivered: 0, failed: 0, parts: 0, people: 0 };

/** A report as soon as it has counted what happened: its totals are of this shape. */
export function counted(company: ApiClient, path: string, totals: Shape): Promise<any> {
  return eventually('it is counted', async () => {
    const report = await company.get(path).gives(200);
    const problem = mismatch(report.totals, totals, 'totals');
    if (problem !== undefined) throw new Failure(problem);
    return report;
  });
}
