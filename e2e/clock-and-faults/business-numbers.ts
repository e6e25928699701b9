import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox, send } from '../support/api.ts';
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
  const advance = (seconds: number) => sandbox(stack.local, 'POST', '/clock/advance', { seconds });

  /** How many of `count` previews at once were made. */
  async function made(count: number): Promise<number> {
    const replies = await Promise.all(Array.from({ length: count }, preview));
    return replies.filter(({ status }) => status === 201).length;
  }

  it('previews, their addresses and their limit follow the clock, forward and back', async () => {
    const first = await waitUntil(
      async () => {
        const reply = await preview();
        return reply.status === 201 && reply;
      },
      { what: 'a first preview' },
    );
    await advance(61);
    expect(await made(35)).toBe(30);
    await advance(30); // well inside the minute, however long the previews took
    expect(await made(1)).toBe(0);
    await advance(31);
    expect(await made(35)).toBe(30);
    await sandbox(stack.local, 'DELETE', '/clock');
    expect(await made(1)).toBe(1);

    expect((await send('GET', first.body.audio_url)).status).toBe(200);
    await advance(3601);
    expect((await send('GET', first.body.audio_url)).status).toBe(404);
    await sandbox(stack.local, 'DELETE', '/clock');
  }, 120_000);

  it('the route of a call now is that of the moved clock', async () => {
    const explain = async () => (await company.call('GET', `${path}/route_explanation`)).body;
    const { changes_at: changesAt, within_business_hours: open } = await explain();
    await advance(Math.ceil((Date.parse(changesAt) - Date.now()) / 1000) + 1);
    expect((await explain()).within_business_hours).toBe(!open);
    await sandbox(stack.local, 'DELETE', '/clock');
    expect((await explain()).within_business_hours).toBe(open);
  }, 60_000);
}
