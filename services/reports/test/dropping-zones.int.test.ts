import { afterAll, expect, it } from '@jest/globals';
import { systemClock, trackBackgroundWork } from '@parley/clock';
import { decided } from '@parley/errors';
import { startTelemetry } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import { openBatches } from '../src/company-totals/batch-store.ts';
import { openCompanyTotals } from '../src/company-totals/company-totals-store.ts';
import { startTotalsWorker } from '../src/company-totals/start-totals-worker.ts';
import { openFacts } from '../src/facts/fact-store.ts';
import { openTotals } from '../src/totals/total-store.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

it('a time zone out of use is read no more when its totals are deleted, also after a crash before that', async () => {
  const db = mongo.database('dropping');
  const { log } = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const [facts, totals] = [await openFacts(db), await openTotals(db)];
  const companyTotals = await openCompanyTotals(db, systemClock);
  let zoneOfNumber = 'Europe/Rome';
  const readable: boolean[] = [];
  const making = startTotalsWorker({
    companyTotals,
    facts,
    totals: {
      ...totals,
      async removeZone(companyId, zone, run) {
        readable.push((await companyTotals.get(companyId))?.zones.includes(zone) ?? false);
        await totals.removeZone(companyId, zone, run);
      },
    },
    batches: openBatches(db),
    owners: {
      numbers: async () => [{ id: 'num_1', zone: zoneOfNumber }],
      mustHaveCompany: async () => undefined,
      employeeIds: async () => [],
      recordingsBytes: async () => 0,
      assistantUsage: async () => ({ minutes: 0, tokens: 0 }),
      async *facts() {
        yield [];
      },
    },
    clock: systemClock,
    backgroundWork: trackBackgroundWork(),
    log,
  });
  const zonesAre = (...zones: string[]) =>
    waitUntil(
      async () => {
        const state = await companyTotals.get('com_1');
        return state?.due === null && JSON.stringify(state.zones) === JSON.stringify(zones);
      },
      { what: `totals of ${zones.join(', ')}`, timeoutMs: 60_000 },
    );
  try {
    await companyTotals.requestZone('com_1', { zone: 'UTC', isLimited: false });
    await zonesAre('Europe/Rome', 'UTC');
    zoneOfNumber = 'Europe/Oslo';
    await companyTotals.requestZone('com_1', { zone: 'Asia/Tokyo', isLimited: false });
    await zonesAre('Europe/Oslo', 'UTC', 'Asia/Tokyo');
    expect(readable).toEqual([false]);
    // The state after a process was killed before it had deleted them.
    await companyTotals.documents.of('com_1').upsert('com_1', (current) => {
      if (!current) throw new Error('there is no company');
      return decided({ ...current, droppedZones: ['Europe/Rome'] });
    });
    await companyTotals.requestZone('com_1', { zone: 'Asia/Seoul', isLimited: false });
    await zonesAre('Europe/Oslo', 'UTC', 'Asia/Tokyo', 'Asia/Seoul');
    expect(readable).toEqual([false, false]);
    expect(await companyTotals.get('com_1')).toMatchObject({ droppedZones: [] });
  } finally {
    await making.stop();
  }
});
