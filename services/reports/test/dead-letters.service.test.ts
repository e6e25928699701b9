import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeadLetterService } from '@parley/proto/operations/v1/dead_letters_pb';
import { asOperator } from '@parley/testkit/service';
import { startReports, type TestReports } from './start-reports.ts';

let reports: TestReports;
beforeAll(async () => {
  reports = await startReports();
});
afterAll(() => reports.stop());

it('the service starts, and has no dead letters', async () => {
  const client = reports.as('gateway').client(DeadLetterService);
  expect((await client.listDeadLetters({ limit: 10 }, asOperator)).deadLetters).toEqual([]);
});
