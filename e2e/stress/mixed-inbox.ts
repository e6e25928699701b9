// Texts and calls while processes are killed: every thread, count and preview equals a recomputation from the raw items.
import type { Company } from '../support/api.ts';
import { sandbox } from '../support/api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Item, readActivity, readThreads } from './activity.ts';
import {
  healthy,
  inParallel,
  receiveText,
  requireThat,
  startKilling,
  type StressStack,
  untilAnswered,
  withStressStack,
} from './stress-stack.ts';

const NUMBERS = 4;
const WORKERS = 8;
/** Of all items. */
const OUTGOING_SHARE = 0.002;
const CALL_SHARE = 0.02;
const SETTLED_WITHIN_MS = 300_000;
const PREVIEW_LENGTH = 160;

const phoneOf = (person: number) => `+4522${String(person).padStart(6, '0')}`;

export function stressMixedInbox(count: number): Promise<void> {
  const people = Math.max(5, Math.ceil(count / 50));
  return withStressStack(NUMBERS, async (given) => {
    const { stack, company } = given;
    const texts = new Map<string, string[]>();
    const calls = new Map<string, number>();
    const killing = startKilling(stack);
    await inParallel(count, WORKERS, async (index) => {
      const phone = phoneOf(index % people);
      const kind = Math.random();
      if (kind < CALL_SHARE) {
        if (await missCall(given, phone, index)) calls.set(phone, (calls.get(phone) ?? 0) + 1);
        return;
      }
      const text = `Item ${index}`;
      if (kind < CALL_SHARE + OUTGOING_SHARE) await send(given, phone, text, index);
      else await receiveText(stack, { from: phone, to: numberOf(given, index).number, text });
      texts.set(phone, [...(texts.get(phone) ?? []), text]);
      if (index % 97 === 0) await markSeen(company, phone);
    });
    const kills = await killing.stop();
    await healthy(stack);

    let unseen = 0;
    await waitUntil(
      'the inbox to equal its items',
      async () => {
        const problem = await differences(company, texts).catch((error: Error) => error.message);
        if (typeof problem === 'number') unseen = problem;
        else console.log(`  not yet: ${problem}`);
        return typeof problem === 'number';
      },
      SETTLED_WITHIN_MS,
    );
    const callCount = [...calls.values()].reduce((sum, one) => sum + one, 0);
    console.log(
      `  ${count} items (${callCount} calls) of ${people} people, ${kills} kills; ${unseen} unseen: all equal`,
    );
  });
}

const numberOf = ({ numbers }: StressStack, index: number) => numbers[index % numbers.length]!;

async function send(given: StressStack, to: string, text: string, index: number): Promise<void> {
  const path = `/business_numbers/${numberOf(given, index).id}/messages`;
  await untilAnswered(() => given.company.call('POST', path, { to, text, idempotency_key: `mixed-${index}` }));
}

/** A call that its caller gives up at once; false when the switch was away. */
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

/** Compares every thread with its items; the number of unseen items when all are equal, throws otherwise. */
async function differences(company: Company, texts: ReadonlyMap<string, readonly string[]>): Promise<number> {
  const threads = new Map((await readThreads(company)).map((thread) => [thread.phone_number as string, thread]));
  let unseen = 0;
  for (const [phone, sent] of texts) {
    const { items } = await readActivity(company, phone, 100);
    const stored = items.flatMap(({ text }) => text ?? []);
    requireThat(
      stored.toSorted().join() === sent.toSorted().join(),
      `${phone} has ${stored.length} of ${sent.length} texts`,
    );
    requireThat(new Set(items.map(({ id }) => id)).size === items.length, `${phone} has an item twice`);
    const thread = threads.get(phone);
    const [latest] = items as [Item];
    const own = items.filter(({ direction, seen_at: seenAt }) => direction === 'inbound' && seenAt === null).length;
    unseen += own;
    const numbers = [...new Set(items.map((item) => item.business_number_id))].toSorted();
    const expected = [own, previewOf(latest), latest.id, latest.created_at, numbers.join()];
    const { unseen_count, preview, latest_item, last_activity_at, business_number_ids } = thread ?? {};
    const found = [unseen_count, preview, latest_item?.id, last_activity_at, business_number_ids?.toSorted().join()];
    requireThat(
      expected.join(' | ') === found.join(' | '),
      `${phone}: ${found.join(' | ')}, not ${expected.join(' | ')}`,
    );
  }
  const counted = await untilAnswered(() => company.call('GET', '/activity/unseen'));
  const people = [...threads.values()].filter((thread) => thread.unseen_count > 0).length;
  requireThat(
    counted.body.unseen_count === people,
    `${counted.body.unseen_count} people have unseen items, not ${people}`,
  );
  return unseen;
}

function previewOf({ type, text, summary, transcription, direction, missed }: Item): string {
  const content = type === 'message' ? text : type === 'call' ? summary : transcription;
  if (content) return content.slice(0, PREVIEW_LENGTH);
  if (type === 'voicemail') return 'Voicemail';
  if (direction === 'outbound') return 'Outgoing call';
  return missed ? 'Missed call' : 'Incoming call';
}
