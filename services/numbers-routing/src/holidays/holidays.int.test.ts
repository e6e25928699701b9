import { afterEach, describe, expect, it } from '@jest/globals';
import { longestStepMs } from '@parley/testkit';
import { type Holidays, openHolidays } from './holidays.ts';

/** Their calendars follow the moon. */
const SLOW = ['TW', 'HK', 'VN', 'CN', 'SG', 'KR', 'MY'];

let holidays: Holidays = openHolidays();
afterEach(async () => {
  await holidays.stop();
  holidays = openHolidays();
});
const datesOf = async (...request: Parameters<Holidays['of']>) =>
  (await holidays.of(...request))?.map(({ date }) => date);

describe('the calendar of a country and year', () => {
  it('the calendar of a country and year leaves the event loop to others while it is calculated', async () => {
    const requests = SLOW.map((country) => holidays.of('com_1', country, 2031));
    expect(await longestStepMs(() => Promise.all(requests))).toBeLessThan(50);
    expect(await datesOf('com_1', 'TW', 2031)).toContain('2031-01-01');
    expect(await holidays.of('com_1', 'XX', 2031)).toBeUndefined();
  });

  it('the calendar of a country and year is calculated once, whoever asks for it, also at the same time', async () => {
    const [one, other] = await Promise.all([holidays.of('com_1', 'DK', 2027), holidays.of('com_2', 'DK', 2027)]);
    expect(one).toBe(other);
    expect(await holidays.of('com_3', 'DK', 2027)).toBe(one);
    expect(await datesOf('com_1', 'DK', 2028)).not.toEqual(one?.map(({ date }) => date));
    expect(await datesOf('com_1', 'SE', 2027)).not.toEqual(one?.map(({ date }) => date));
  });

  it('the calendar of a country and year does not wait for all calendars of another company', async () => {
    const order: string[] = [];
    const asked = SLOW.map((country) => holidays.of('com_1', country, 2032).then(() => order.push('theirs')));
    await Promise.all([...asked, holidays.of('com_2', 'DK', 2032).then(() => order.push('ours'))]);
    expect(order.indexOf('ours')).toBeLessThanOrEqual(2);
  });

  it('the calendar of a country and year is refused to a company that has asked for too many', async () => {
    const years = Array.from({ length: 51 }, (_, index) => 2000 + index);
    const asked = years.map((year) => holidays.of('com_1', 'DK', year));
    expect(() => holidays.of('com_1', 'DK', 2051)).toThrow('at most 50 calendars');
    await expect(holidays.of('com_2', 'SE', 2051)).resolves.toBeDefined();
    await Promise.all(asked);
    await expect(holidays.of('com_1', 'DK', 2051)).resolves.toBeDefined();
  });

  it('the calendar of a country and year is calculated by a new thread after a while without requests', async () => {
    await holidays.stop();
    holidays = openHolidays({ idleMs: 0 });
    for (const year of [2033, 2034, 2035]) {
      expect(await datesOf('com_1', 'DK', year)).toContain(`${year}-01-01`);
      await new Promise(setImmediate);
    }
  });

  it('the calendar of a country and year is not waited for by a service that stops', async () => {
    const asked = SLOW.map((country) => holidays.of('com_1', country, 2036));
    const settled = Promise.allSettled(asked);
    await holidays.stop();
    expect((await settled).map(({ status }) => status)).toContain('rejected');
  });
});
