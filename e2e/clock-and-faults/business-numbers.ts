import { beforeAll, expect, it } from '@jest/globals';
import { advanceClock, type Company, createTestCompany, resetClock, send } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';

export function testBusinessNumbers(stack: LocalStack): void {
  let company: Company;
  let path: string;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
    const { body } = await createNumber(company, { language: 'da' }, stack.local);
    path = `/business_numbers/${body.id}`;
  });

  const preview = () => company.call('POST', `${path}/voice_previews`, { kind: 'welcome', text: 'Velkommen.' });
  const advance = (seconds: number) => advanceClock(stack.local, seconds);

  /** The statuses of previews one after the other: that of many at once exactly 30 are made is tested without the clock. */
  async function statuses(count: number): Promise<number[]> {
    const found: number[] = [];
    for (let requested = 0; requested < count; requested++) found.push((await preview()).status);
    return found;
  }
  const thirtyAndNoMore = [...Array.from({ length: 30 }, () => 201), 429];

  it('previews, their addresses and their limit follow the clock, forward and back', async () => {
    const first = await waitUntil(
      async () => {
        const reply = await preview();
        return reply.status === 201 && reply;
      },
      { what: 'a first preview', timeoutMs: 240_000 },
    );
    await advance(61);
    expect(await statuses(31)).toEqual(thirtyAndNoMore);
    await advance(30); // well inside the minute, however long the previews took
    expect(await statuses(1)).toEqual([429]);
    await advance(31);
    expect(await statuses(31)).toEqual(thirtyAndNoMore);
    await resetClock(stack.local);
    expect(await statuses(1)).toEqual([201]);

    expect((await send('GET', first.body.audio_url)).status).toBe(200);
    await advance(3601);
    expect((await send('GET', first.body.audio_url)).status).toBe(404);
    await resetClock(stack.local);
  }, 400_000);

  it('the route of a call now is that of the moved clock', async () => {
    const explain = async () => (await company.call('GET', `${path}/route_explanation`)).body;
    const { changes_at: changesAt, within_business_hours: open } = await explain();
    await advance(Math.ceil((Date.parse(changesAt) - Date.now()) / 1000) + 1);
    expect((await explain()).within_business_hours).toBe(!open);
    await resetClock(stack.local);
    expect((await explain()).within_business_hours).toBe(open);
  });
}
