import type { BackgroundWork, Clock } from '@parley/clock';
import { startSweep } from '@parley/mongo';
import type { Telemetry } from '@parley/telemetry';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { CompanyLogs } from './company-logs.ts';
import type { EventLogStore } from './event-log-store.ts';
import { keptFrom } from './logged-event.ts';

const EVERY_MS = 3600_000;
/** An event gets its place after its content is stored, and is shown for as long after that. */
const CONTENT_KEPT_LONGER_MS = 3600_000;

/** Removes what is older than 30 days, and the logs that nobody uses. */
export function startEventLogMaintenance(deps: {
  eventLog: EventLogStore;
  logs: CompanyLogs;
  subscriptions: Pick<Subscriptions, 'of' | 'seenByAll'>;
  clock: Clock;
  backgroundWork: BackgroundWork;
  telemetry: Pick<Telemetry, 'log'>;
}): { stop(): Promise<void> } {
  const { eventLog, logs, subscriptions, clock, backgroundWork, telemetry } = deps;
  const sweep = { everyMs: EVERY_MS, backgroundWork, log: telemetry.log };

  async function endUnused(): Promise<void> {
    const isNeeded = async (companyId: string) => (await subscriptions.of(companyId).list()).length > 0;
    const ended = await logs.endUnused(isNeeded);
    if (ended.length === 0) return;
    // Until no process records any more.
    await subscriptions.seenByAll();
    for (const log of ended) await eventLog.removeLog(log, clock.now());
  }

  const contents = eventLog.startExpiry({
    ...sweep,
    expired: () => ({ recordedAt: { $lt: new Date(keptFrom(clock.now()).getTime() - CONTENT_KEPT_LONGER_MS) } }),
  });
  const segments = startSweep({
    ...sweep,
    name: 'expiry of event logs',
    async sweep() {
      await eventLog.removeExpired(keptFrom(clock.now()), logs.areThere);
      await endUnused();
    },
  });
  return {
    async stop() {
      await Promise.all([contents.stop(), segments.stop()]);
    },
  };
}
