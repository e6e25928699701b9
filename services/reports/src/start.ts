import { addPersonalDataService, companyErasure, erasureOf, eventSteps, followRetention } from '@parley/personal-data';
import { batching } from '@parley/queues';
import { encryptor } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { startAuditLog } from './audit-events/start-audit-log.ts';
import { openBatches } from './company-totals/batch-store.ts';
import { openCompanyTotals } from './company-totals/company-totals-store.ts';
import { startTotalsWorker } from './company-totals/start-totals-worker.ts';
import type { Config } from './config.ts';
import { openFacts } from './facts/fact-store.ts';
import { reportHandlers } from './followers.ts';
import { migrations } from './migrations.ts';
import { ownersClient } from './owners/owners-client.ts';
import { openProgress, type ProgressWriter } from './progress/progress-store.ts';
import { addReportServices } from './reports/report-rpcs.ts';
import { openPseudonyms, saltContext } from './people/pseudonym-store.ts';
import { openTotals } from './totals/total-store.ts';

export const SERVICE = 'reports';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: false,
      migrations,
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: ({ _id: companyId }) => [saltContext(String(companyId))] },
      peers: {
        directory: config.DIRECTORY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        callControl: config.CALL_CONTROL_ADDRESS,
        messagingInbox: config.MESSAGING_INBOX_ADDRESS,
        assistant: config.ASSISTANT_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const { backgroundWork, broker, clock, db, followers, peers } = service;
  const { log } = service.telemetry;
  const facts = await openFacts(db);
  const totals = await openTotals(db);
  const companyTotals = await openCompanyTotals(db, clock);
  const pseudonyms = await openPseudonyms(db, encryptor(config.ENCRYPTION_KEY));
  const owners = ownersClient(peers, pseudonyms);

  const batches = openBatches(db);
  const making = startTotalsWorker({ companyTotals, facts, totals, batches, owners, clock, backgroundWork, log });
  service.stopLater('totals', making);
  const progress = openProgress({ db, broker, clock, log, follower: SERVICE });
  let measuring: ProgressWriter | undefined;
  const noting: typeof companyTotals.note = async (companyId, since) => {
    await companyTotals.note(companyId, since);
    making.expect();
    measuring?.expect();
  };
  const handlers = reportHandlers({ facts, companyTotals: { note: noting }, pseudonyms });
  // A fact has the sequence of the event that it was taken from.
  await service.follow({ name: SERVICE, handlers, withoutPositions: true, batching: batching.countedEvents });

  const follower = followers.find(({ name }) => name === SERVICE);
  if (follower) service.stopLater('progress', (measuring = progress.start(follower)));

  // Facts have pseudonyms of people and stay with the totals: only events that could not be counted contain people.
  await followRetention(service, []);
  const addAuditLog = await startAuditLog(service, config.ENCRYPTION_KEY);

  await service.serve((server) => {
    addAuditLog(server);
    // The calls of these events are erased by their owner, or are new.
    addPersonalDataService(server, {
      erase: erasureOf(eventSteps({ db, keeps: async () => true })),
      eraseCompany: companyErasure({ db }),
    });
    addReportServices(server, { totals, companyTotals, owners, progress, pollNow: () => making.pollNow(), clock });
  });
}
