import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, sharedDataDir, sharedStack } from '../support/api.ts';
import { phone } from './history.ts';
import { orderWord } from './phrases.ts';
import { type SeedOptions, seedCompany } from './seed-company.ts';

const CALLS = 300;
const TEXTS = 60;
const CONTACTS = 20;
const PAGE = 100;

const options: SeedOptions = {
  name: 'Seeded',
  calls: CALLS,
  texts: TEXTS,
  contacts: CONTACTS,
  months: 2,
  seed: 'test',
  numbers: 2,
  employees: 3,
  until: new Date(),
};

let company: Company;

beforeAll(async () => {
  const target = { local: sharedStack(), dataDir: sharedDataDir(), mongoUrl: undefined, progress: () => {} };
  ({ company } = await seedCompany(target, options));
});

const read = async (path: string) => {
  const { status, body, text } = await company.call('GET', path);
  if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`);
  return body;
};

/** Every page of a list. */
async function pagesOf(path: string, field: string, limit = PAGE): Promise<any[][]> {
  const pages: any[][] = [];
  let cursor: string | null | undefined;
  do {
    const body = await read(`${path}limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
    pages.push(body[field]);
    cursor = body.next_cursor;
  } while (cursor);
  return pages;
}

it('a seeded company lists all of its calls, newest first, from the first page to the last', async () => {
  const calls = (await pagesOf('/calls?', 'calls')).flat();
  expect(calls).toHaveLength(CALLS);
  const times = calls.map(({ started_at }) => Date.parse(started_at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times[0]).toBeLessThanOrEqual(options.until.getTime());
  expect(new Set(calls.map(({ direction }) => direction))).toEqual(new Set(['inbound', 'outbound']));
  expect(await read('/contacts')).toHaveLength(CONTACTS);
});

it('a seeded call is found by what was said in it', async () => {
  const all = (await pagesOf('/calls?', 'calls')).flat();
  const index = all.toReversed().findIndex(({ summary }) => summary);
  const wanted = all.toReversed()[index];
  const { calls } = await read(`/calls?query=${orderWord(index)}`);
  expect(calls[0]?.id).toBe(wanted.id);
  const { segments } = await read(`/calls/${wanted.id}/transcript`);
  expect(segments.map(({ text }: { text: string }) => text).join(' ')).toContain(orderWord(index));
});

it('a seeded recording can be listened to', async () => {
  const all = (await pagesOf('/calls?', 'calls')).flat();
  const recorded = all.find(({ recording_url }) => recording_url);
  const response = await fetch(recorded.recording_url, { headers: { 'X-Api-Key': company.apiKey } });
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
});

it('the inbox of a seeded company has the thread of each person with all of their calls and texts', async () => {
  const calls = (await pagesOf(`/calls?phone_number=${encodeURIComponent(phone(0))}&`, 'calls')).flat();
  const items = (await pagesOf(`/inbox/${encodeURIComponent(phone(0))}/activity?`, 'items')).flat();
  const voicemails = items.filter(({ type }) => type === 'voicemail');
  const shownCalls = items.filter(({ type }) => type === 'call');
  expect(calls.length).toBeGreaterThan(0);
  // A voicemail is shown instead of its call.
  expect(voicemails.length + shownCalls.length).toBe(calls.length);
  const threads = (await pagesOf('/inbox?', 'threads')).flat();
  const people = new Set((await pagesOf('/calls?', 'calls')).flat().map((call) => otherSide(call)));
  expect(threads.map(({ phone_number }) => phone_number)).toEqual(expect.arrayContaining([...people]));
  const texts = await Promise.all(
    threads.map(async ({ phone_number }) =>
      (await pagesOf(`/inbox/${encodeURIComponent(phone_number)}/activity?`, 'items')).flat(),
    ),
  );
  expect(texts.flat().filter(({ type }) => type === 'message')).toHaveLength(TEXTS);
});

it('a seeded text is found by its words', async () => {
  const { messages } = await read('/messages?query=saturday');
  expect(messages.length).toBeGreaterThan(0);
  expect(messages[0].text).toContain('Saturday');
});

it('voicemails are listed page by page as the whole list has them', async () => {
  const { voicemails } = await read('/voicemails');
  const pages = (await pagesOf('/voicemails?', 'voicemails', 5)).map((page) => page.map(({ id }) => id));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flat()).toEqual(voicemails.map(({ id }: { id: string }) => id));
});

it('reports of a seeded company count all of its calls and texts', async () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const range = `from=${day(70)}&to=${day(-1)}`;
  const counted = await waitUntil(
    async () => {
      const { totals } = await read(`/reports/calls?${range}`);
      return totals.total === CALLS ? totals : undefined;
    },
    { what: 'all calls to be counted', timeoutMs: 30_000 },
  );
  expect(counted.inbound + counted.outbound).toBe(CALLS);
  const { totals } = await read(`/reports/messages?${range}`);
  expect(totals.received + totals.sent).toBe(TEXTS);
});

function otherSide({ direction, from, to }: { direction: string; from: string; to: string }): string {
  return direction === 'inbound' ? from : to;
}
