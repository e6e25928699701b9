import { timestampNow } from '@bufbuild/protobuf/wkt';
import { asEmployee } from '@parley/testkit/service';
import {
  missingFields,
  RELEASE_KEY,
  RELEASE_WRITES,
  releaseDocuments,
  restoreRelease,
  waitUntil,
} from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNumbersRouting, type TestNumbersRouting } from './start-numbers-routing.ts';

const released = releaseDocuments('numbers-routing');
const numbers = released['business_numbers'] ?? [];

let numbersRouting: TestNumbersRouting;
beforeAll(async () => {
  numbersRouting = await startNumbersRouting({ ENCRYPTION_KEY: RELEASE_KEY });
  for (const { companyId } of numbers) numbersRouting.directory.createCompany({ companyId });
});
afterAll(() => numbersRouting?.stop());

describe.each(RELEASE_WRITES)('business numbers that the last release stored %s', (_, when) => {
  beforeAll(async () => {
    await numbersRouting.stopService();
    await restoreRelease(numbersRouting.db, released, when);
    await numbersRouting.restart();
  });

  it('business numbers that the last release stored route calls, are read, changed, and keep every field that the release reads', async () => {
    const { routing } = numbersRouting;
    for (const { _id: id, companyId, name, number } of numbers) {
      const owner = asEmployee(companyId);
      const route = await waitUntil(() => routing.resolveRoute({ number, at: timestampNow() }), { what: 'the route' });
      expect(route.number).toMatchObject({ id, name });
      expect((await numbersRouting.numbers.getBusinessNumber({ id }, owner)).view?.number).toMatchObject({ id, name });
      const { view } = await numbersRouting.numbers.updateBusinessNumber({ id, name: `Other ${name}` }, owner);
      expect(view?.number?.name).toBe(`Other ${name}`);
    }
    expect(await missingFields(numbersRouting.db, released)).toEqual([]);
  });
});
