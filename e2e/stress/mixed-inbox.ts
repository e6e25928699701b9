// Texts, calls and voicemails while processes are killed: every thread, count and preview equals a recomputation from the raw items.
import { setTimeout as sleep } from 'node:timers/promises';
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
  retry,
  type StressStack,
  untilAnswered,
  withStressStack,
} from './stress-stack.ts';

const NUMBERS = 4;
const WORKERS = 24;
const READERS = 6;
/** Shares of all items. */
const OUTGOING_SHARE = 0.002;
const CALL_SHARE = 0.02;
/** Each takes seconds, and its transcription as long as all else of a thousand texts. */
const VOICEMAILS_MAX = 30;
const VOICEMAIL_GREETING = 'Hi.';
/** The length of a caller's speech after the beep. */
const SPEAKING_MS = 1500;
const BEEP_WITHIN_MS = 60_000;
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
    let voicemails = 0;
    const leaving: Promise<void>[] = [];
    const voicemailEvery = Math.max(40, Math.ceil(amount.count / VOICEMAILS_MAX));
    await answerWithVoicemail(given);
    const started = performance.now();
    const killing = startKilling(stack);
    const count = await inParallel(amount, WORKERS, async (index) => {
      const phone = phoneOf(index % people);
      const kind = Math.random();
      if (index % voicemailEvery === 0)
        leaving.push(leaveVoicemail(given, phone).then((left) => void (voicemails += left ? 1 : 0)));
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
    await Promise.all(leaving);
    const outages = await killing.stop();
    await healthy(stack);
    console.log(`  ${count} items at ${(count / secs).toFixed(0)} a second`);

    const unseen = await untilEqual(company, texts);
    console.log(
      `  ${count} items (${calls} calls, ${voicemails} voicemails) of ${people} people, ${outages.length} kills; ${unseen} unseen: all equal`,
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
  await sleep(200);
  await sandbox(local, 'POST', `/legs/${body.leg_id}/hangup`);
  return true;
}

/** The first number records voicemails, at any time of day. */
async function answerWithVoicemail({ company, numbers }: StressStack): Promise<void> {
  const flows = `/business_numbers/${numbers[0]!.id}`;
  const config = { type: 'VoicemailConfig', greeting: VOICEMAIL_GREETING };
  await untilAnswered(() => company.call('PUT', `${flows}/outside_business_hours_config`, { type: null }));
  await untilAnswered(() => company.call('PUT', `${flows}/incoming_call_config`, config));
}

/** A caller who speaks after the beep; false when a kill has ended the call before. */
async function leaveVoicemail({ stack: { local }, numbers }: StressStack, from: string): Promise<boolean> {
  const { status, body } = await sandbox(local, 'POST', '/calls', { from, to: numbers[0]!.number });
  if (status !== 201) return false;
  const leg = `/legs/${body.leg_id}`;
  const hears = await retry(
    'the beep',
    async () => {
      const { state, heard } = (await sandbox(local, 'GET', leg)).body;
      if (state === 'ended') return 'nothing';
      return heard.some(({ kind }: { kind: string }) => kind === 'beep') ? 'beep' : undefined;
    },
    BEEP_WITHIN_MS,
  ).catch(() => 'nothing');
  if (hears === 'beep') await sleep(SPEAKING_MS);
  await sandbox(local, 'POST', `${leg}/hangup`);
  return hears === 'beep';
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
      const shown = new Set<string>();
      unseen = 0;
      await inParallel({ count: all.length, minutes: 10 }, READERS, async (index) => {
        const [phone, sent] = all[index]!;
        const { items } = await readActivity(company, phone, 100);
        unseen += items.filter(isUnseen).length;
        for (const { id } of items) shown.add(id);
        problems.push(...differences(phone, sent, items, threads.get(phone)));
      });
      problems.push(...(await missingVoicemails(company, shown)));
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

async function missingVoicemails(company: Company, shown: ReadonlySet<string>): Promise<string[]> {
  const { body } = await untilAnswered(() => company.call('GET', '/voicemails'));
  const missing = (body.voicemails as { id: string }[]).filter(({ id }) => !shown.has(id));
  return missing.map(({ id }) => `voicemail ${id} is not in the inbox`);
}

const isUnseen = ({ direction, seen_at: seenAt }: Item) => direction === 'inbound' && seenAt === null;

/** Compares a thread with a recomputation from its items. */
function differences(phone: string, sent: readonly string[], items: readonly Item[], thread: any): string[] {
  const stored = items.flatMap(({ text }) => text ?? []);
  if (stored.toSorted().join() !== sent.toSorted().join())
    return [`${phone} has ${stored.length} of ${sent.length} texts`];
  if (new Set(items.map(({ id }) => id)).size !== items.length) return [`${phone} has an item twice`];
  const replaced = new Set(items.flatMap(({ call_id: callId }) => callId ?? []));
  if (items.some(({ id }) => replaced.has(id))) return [`${phone} has a call besides its voicemail`];
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
