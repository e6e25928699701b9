// Texts and calls while processes are killed: every thread, count and preview equals a recomputation from the raw items.
import type { Company } from '../support/api.ts';
import { sandbox } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Item, readActivity, readThreads } from './activity.ts';
import { startKilling } from './kills.ts';
import {
  type Amount,
  inParallel,
  receiveText,
  type StressStack,
  untilAnswered,
  withStressStack,
} from './stress-stack.ts';

const NUMBERS = 4;
const WORKERS = 24;
const READERS = 6;
/** Of all items. */
const OUTGOING_SHARE = 0.002;
const CALL_SHARE = 0.02;
/** One in so many is read and marked as seen. */
const SEEN_EVERY = 97;
const SETTLED_WITHIN_MS = 300_000;
const PREVIEW_LENGTH = 160;

const phoneOf = (person: number) => `+4522${String(person).padStart(6, '0')}`;

export function stressMixedInbox(amount: Amount): Promise<void> {
  const people = Math.max(5, Math.ceil(amount.count / 50));
  return withStressStack(NUMBERS, async (given) => {
    const { stack, company } = given;
    const texts = new Map<string, string[]>();
    let calls = 0;
    const started = performance.now();
    const killing = startKilling(stack);
    const count = await inParallel(amount, WORKERS, async (index) => {
      const phone = phoneOf(index % people);
      const kind = Math.random();
      if (kind < CALL_SHARE) {
        if (await missCall(given, phone, index)) calls += 1;
        return;
      }
      const text = `Item ${index}`;
      if (kind < CALL_SHARE + OUTGOING_SHARE) await send(given, phone, text, index);
      else await receiveText(stack, { from: phone, to: numberOf(given, index).number, text });
      texts.set(phone, [...(texts.get(phone) ?? []), text]);
      if (index % SEEN_EVERY === 0) await markSeen(company, phone);
    });
    const secs = (performance.now() - started) / 1000;
    const outages = await killing.stop();
    await healthy(stack);
    console.log(`  ${count} items at ${(count / secs).toFixed(0)} a second`);

    const unseen = await untilEqual(company, texts);
    console.log(
      `  ${count} items (${calls} calls) of ${people} people, ${outages.length} kills; ${unseen} unseen: all equal`,
    );
  });
}

const numberOf = ({ numbers }: StressStack, index: number) => numbers[index % numbers.length]!;

async function send(given: StressStack, to: string, text: string, index: number): Promise<void> {
  const path = `/business_numbers/${numberOf(given, index).id}/messages`;
  await untilAnswered(() => given.company.call('POST', path, { to, text, idempotency_key: `mixed-${index}` }));
}

/** A call that its caller cancels immediately; false when the switch was unreachable. */
async function missCall(given: StressStack, from: string, index: number): Promise<boolean> {
  const { local } = given.stack;
  const { status, body } = await sandbox(local, 'POST', '/calls', { from, to: numberOf(given, index).number });
  if (status !== 201) return false;
  await new Promise((resolve) => setTimeout(resolve, 200));
  await sandbox(local, 'POST', `/legs/${body.leg_id}/hangup`);
  return true;
}

async function markSeen(company: Company, phone: string): Promise<void> {
  const { observedAt } = await readActivity(company, phone, 100);
  const path = `/inbox/${encodeURIComponent(phone)}/seen`;
  await untilAnswered(() => company.call('POST', path, { through: observedAt }));
}

/** Waits until every thread equals its items; answers how many of these are unseen. */
async function untilEqual(company: Company, texts: ReadonlyMap<string, readonly string[]>): Promise<number> {
  let unseen = 0;
  await waitUntil(
    async () => {
      const threads = new Map((await readThreads(company)).map((thread) => [thread.phone_number as string, thread]));
      const all = [...texts];
      const problems: string[] = [];
      unseen = 0;
      await inParallel({ count: all.length, minutes: 10 }, READERS, async (index) => {
        const [phone, sent] = all[index]!;
        const { items } = await readActivity(company, phone, 100);
        unseen += items.filter(isUnseen).length;
        problems.push(...differences(phone, sent, items, threads.get(phone)));
      });
      const { body } = await untilAnswered(() => company.call('GET', '/activity/unseen'));
      const people = [...threads.values()].filter((thread) => thread.unseen_count > 0).length;
      if (body.unseen_count !== people) problems.push(`${body.unseen_count} people have unseen items, not ${people}`);
      if (problems.length > 0) console.log(`  not yet: ${problems.length} differences, such as ${problems[0]}`);
      return problems.length === 0;
    },
    { what: 'the inbox to equal its items', timeoutMs: SETTLED_WITHIN_MS },
  );
  return unseen;
}

const isUnseen = ({ direction, seen_at: seenAt }: Item) => direction === 'inbound' && seenAt === null;

/** How a thread differs from what is made of its items. */
function differences(phone: string, sent: readonly string[], items: readonly Item[], thread: any): string[] {
  const stored = items.flatMap(({ text }) => text ?? []);
  if (stored.toSorted().join() !== sent.toSorted().join())
    return [`${phone} has ${stored.length} of ${sent.length} texts`];
  if (new Set(items.map(({ id }) => id)).size !== items.length) return [`${phone} has an item twice`];
  const [latest] = items as [Item];
  const numbers = [...new Set(items.map((item) => item.business_number_id))].toSorted();
  const unseen = items.filter(isUnseen).length;
  const expected = [unseen, previewOf(latest), latest.id, latest.created_at, numbers.join()].join(' | ');
  const { unseen_count, preview, latest_item, last_activity_at, business_number_ids } = thread ?? {};
  const found = [unseen_count, preview, latest_item?.id, last_activity_at, business_number_ids?.toSorted().join()];
  return expected === found.join(' | ') ? [] : [`${phone}: ${found.join(' | ')}, not ${expected}`];
}

function previewOf({ type, text, summary, transcription, direction, missed }: Item): string {
  const content = type === 'message' ? text : type === 'call' ? summary : transcription;
  if (content) return content.slice(0, PREVIEW_LENGTH);
  if (type === 'voicemail') return 'Voicemail';
  if (direction === 'outbound') return 'Outgoing call';
  return missed ? 'Missed call' : 'Incoming call';
}
