// One company is flooded with texts and floods others: another one hardly notices.
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany } from '../support/api.ts';
import { Latencies } from './latencies.ts';
import {
  type Amount,
  inParallel,
  receiveText,
  requireThat,
  type StressStack,
  withStressStack,
} from './stress-stack.ts';

/** Callbacks and sends of the flooding company in progress at the same time. */
const FLOOD = 60;
const FLOODING_NUMBERS = 20;
const FLOOD_MAX = 100_000;
/** Durations of the other company's requests, alone and during the flood. */
const SLOWER_MAX = 8;

interface Quiet {
  readonly company: Company;
  readonly number: { readonly id: string; readonly number: string };
}

/** The day of a company: it receives a text, answers it, and reads its inbox. */
interface Work {
  readonly received: Latencies;
  readonly sent: Latencies;
  readonly listed: Latencies;
}

export function stressFloods({ count, minutes }: Amount): Promise<void> {
  return withStressStack(FLOODING_NUMBERS, async (given) => {
    const company = await createTestCompany(given.stack.local, { messaging_enabled: true });
    const quiet = { company, number: (await createNumber(company, {}, given.stack.local)).body };
    await work(given, quiet, 'warm', 5);
    const alone = await work(given, quiet, 'alone', count);
    const flooding = new AbortController();
    const flood = inParallel({ count: FLOOD_MAX, minutes, signal: flooding.signal }, FLOOD, async (index) => {
      const { stack, numbers } = given;
      const number = numbers[index % numbers.length]!;
      const phone = `+4527${String(index % 1000).padStart(6, '0')}`;
      if (index % 4 !== 0) return receiveText(stack, { from: phone, to: number.number, text: `Flood ${index}` });
      const path = `/business_numbers/${number.id}/messages`;
      // Most are refused: more than the limit of a number.
      await given.company.call('POST', path, { to: phone, text: 'Flood', idempotency_key: `flood-${index}` });
    });
    const meanwhile = await work(given, quiet, 'meanwhile', count);
    flooding.abort();
    await flood;
    for (const name of ['received', 'sent', 'listed'] as const)
      console.log(`  ${name.padEnd(8)} ${alone[name]} alone; ${meanwhile[name]} during the flood`);
    for (const name of ['received', 'sent', 'listed'] as const) {
      const slower = meanwhile[name].at(0.5) / alone[name].at(0.5);
      requireThat(slower <= SLOWER_MAX, `${name}: ${slower.toFixed(1)} times slower during the flood`);
    }
  });
}

async function work({ stack }: StressStack, { company, number }: Quiet, name: string, count: number): Promise<Work> {
  const [received, sent, listed] = [new Latencies(), new Latencies(), new Latencies()];
  for (let index = 0; index < count; index++) {
    const phone = `+4528${String(index).padStart(6, '0')}`;
    await received.measure(() => receiveText(stack, { from: phone, to: number.number, text: name }));
    // Below the limit of the number.
    if (index < 8) {
      const text = { to: phone, text: name, idempotency_key: `${name}-${index}` };
      const path = `/business_numbers/${number.id}/messages`;
      const { status } = await sent.measure(() => company.call('POST', path, text));
      requireThat(status === 201, `a text is answered with ${status}`);
    }
    const { body } = await listed.measure(() => company.call('GET', '/inbox?limit=10'));
    requireThat(body.threads[0].phone_number === phone, 'a text is not in the inbox at once');
  }
  return { received, sent, listed };
}
