// Many sends while processes are killed and clients repeat their keys: no attempt is accepted twice, and no text is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { sandbox } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Outage, startKilling } from './kills.ts';
import {
  type Amount,
  inParallel,
  requireThat,
  retry,
  type StressStack,
  untilAnswered,
  withStressStack,
} from './stress-stack.ts';

/** Below the limit of a minute, with retries. */
const SENDS_PER_NUMBER = 25;
const CLIENTS = 16;
/** A client repeats an unanswered request for so long before it sends the next text; then it repeats it beside that. */
const PATIENCE_MS = 1500;
const UNANSWERED_MAX = 48;
const SETTLED_WITHIN_MS = 120_000;
/** The provider refuses everything for a while, now and then. */
const REFUSING_MS = 700;
const REFUSES_EVERY_MS = 15_000;

/** The client's view of its text. */
interface Sent {
  readonly id: string;
  /** The time of the first request and of the last response, milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

const toOf = (index: number) => `+4521${String(index).padStart(6, '0')}`;

export function stressSends(amount: Amount): Promise<void> {
  return withStressStack(Math.ceil(amount.count / SENDS_PER_NUMBER), async (given) => {
    const { stack, company } = given;
    const sent: Sent[] = [];
    const killing = startKilling(stack);
    const refusing = startRefusing(given);
    /** Texts whose first requests were not answered: a process that was killed with one keeps its clients waiting. */
    const unanswered = new Set<Promise<void>>();
    const failures: unknown[] = [];
    let late = 0;
    let count: number;
    let outages: readonly Outage[];
    const started = performance.now();
    try {
      count = await inParallel(amount, CLIENTS, async (index) => {
        const sending = send(given, index).then((text) => void (sent[index] = text));
        const isDone = await Promise.race([sending.then(() => true), sleep(PATIENCE_MS, false)]);
        if (isDone) return;
        late += 1;
        if (unanswered.size >= UNANSWERED_MAX) return sending;
        unanswered.add(sending);
        void sending.catch((error: unknown) => failures.push(error)).finally(() => unanswered.delete(sending));
      });
      await Promise.allSettled(unanswered);
    } finally {
      clearInterval(refusing);
      outages = await killing.stop();
    }
    if (failures.length > 0) throw failures[0];
    const secs = (performance.now() - started) / 1000;
    console.log(`  ${count} texts, ${(count / secs).toFixed(0)} a second, ${late} of them answered late`);
    await healthy(stack);
    await sandbox(stack.local, 'DELETE', '/faults');
    const submissions = Map.groupBy(await submittedTexts(given), ({ to }) => to);

    const outcomes: Record<string, number> = {};
    await inParallel({ ...amount, count }, CLIENTS, async (index) => {
      const text = sent[index]!;
      const { body } = await waitUntil(
        async () => {
          const reply = await untilAnswered(() => company.call('GET', `/messages/${text.id}`));
          return reply.body.status !== 'queued' && reply;
        },
        { what: `text ${index} to be settled`, timeoutMs: SETTLED_WITHIN_MS },
      );
      const times = submissions.get(toOf(index))?.length ?? 0;
      requireThat(body.text === `Text ${index}`, `text ${index} is another one`);
      requireThat(times <= 1, `text ${index} was submitted ${times} times`);
      if (['accepted', 'delivered'].includes(body.status))
        requireThat(times === 1, `text ${index} is ${body.status} and was never submitted`);
      else if (body.status === 'failed') requireThat(times === 0, `text ${index} has failed and was submitted`);
      else if (body.status === 'unknown')
        requireThat(wasInFlight(text, outages), `text ${index} is unknown and no process was killed meanwhile`);
      else throw new Error(`text ${index} is ${body.status}`);
      outcomes[body.status] = (outcomes[body.status] ?? 0) + 1;
    });
    console.log(`  ${count} sends, ${outages.length} kills: ${JSON.stringify(outcomes)}`);
  });
}

/** Sends a text with retries; some clients repeat requests, retry refused texts, or get a delivery report. */
async function send(given: StressStack, index: number): Promise<Sent> {
  const { stack, company, numbers } = given;
  const from = Date.now();
  const path = `/business_numbers/${numbers[index % numbers.length]!.id}/messages`;
  const message = { to: toOf(index), text: `Text ${index}`, idempotency_key: `stress-${index}` };
  const ask = () => untilAnswered(() => company.call('POST', path, message));
  const { body } = await ask();
  const id: string = body.message_id ?? body.id;
  requireThat(typeof id === 'string', `text ${index} has no id: ${JSON.stringify(body)}`);
  // Some clients did not receive the response and repeat the request, once or concurrently.
  if (index % 5 === 0) {
    for (const again of await Promise.all([ask(), ask()]))
      requireThat((again.body.id ?? again.body.message_id) === id, `key ${index} has two texts`);
  }
  if (body.code === 'provider_rejected' && index % 2 === 0) {
    const retry = () =>
      untilAnswered(() => company.call('POST', `/messages/${id}/retries`, { idempotency_key: `again-${index}` }));
    await Promise.all([retry(), retry()]);
  }
  if (body.status === 'accepted' && index % 3 === 0) {
    const [submission] = await submittedTexts(given, toOf(index));
    if (submission) {
      const report = `/messages/${submission.provider_id}/delivery_report`;
      await retry('the report to be taken', async () => {
        const { body: taken } = await sandbox(stack.local, 'POST', report, { status: 'delivered' });
        return taken.callback_status === 200 ? true : undefined;
      });
    }
  }
  return { id, from, until: Date.now() };
}

/** The texts that the provider has accepted, to one number or to all. */
async function submittedTexts({ stack }: StressStack, to?: string): Promise<{ provider_id: string; to: string }[]> {
  return (await sandbox(stack.local, 'GET', `/messages${to ? `?to=${encodeURIComponent(to)}` : ''}`)).body;
}

function wasInFlight({ from, until }: Sent, outages: readonly Outage[]): boolean {
  return outages.some((outage) => outage.from <= until && from <= outage.until);
}

function startRefusing({ stack: { local } }: StressStack): NodeJS.Timeout {
  const ignored = () => undefined;
  return setInterval(() => {
    sandbox(local, 'PUT', '/faults', { sms_submit: 'reject', code: '40300' }).catch(ignored);
    setTimeout(() => sandbox(local, 'DELETE', '/faults').catch(ignored), REFUSING_MS);
  }, REFUSES_EVERY_MS);
}
