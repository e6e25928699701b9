// Callers talk with an assistant while its process, call-control or the speech service is killed with -9.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AssistantCompany, type Item, openAssistantCompany } from '../assistants/assistant-company.ts';
import type { Employee } from '../calls/phone-company.ts';
import { healthy } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { warmUp } from '../support/warm-up.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Amount, requireThat, untilAnswered } from './stress-stack.ts';

/** What a round does before the kill, and what is killed: one process of two, or all. */
interface Round {
  readonly moment: 'talking' | 'answering' | 'ringing' | 'whispering';
  readonly victim: 'assistant' | 'assistants' | 'call-control' | 'call-controls' | 'speech';
}

const ROUNDS: readonly Round[] = [
  { moment: 'talking', victim: 'assistant' },
  { moment: 'ringing', victim: 'assistant' },
  { moment: 'answering', victim: 'call-control' },
  { moment: 'talking', victim: 'speech' },
  { moment: 'answering', victim: 'assistant' },
  { moment: 'ringing', victim: 'call-controls' },
  { moment: 'whispering', victim: 'assistant' },
  { moment: 'talking', victim: 'call-controls' },
  { moment: 'whispering', victim: 'call-control' },
  { moment: 'talking', victim: 'assistants' },
  { moment: 'answering', victim: 'speech' },
  { moment: 'ringing', victim: 'assistants' },
];

const WITHIN_MS = 60_000;
/** Nobody hangs up within a moment of the answer. */
const THANKS_MS = 2000;
/** How long the caller waits before asking again. */
const POLLS = 24;
const POLL_MS = 250;
const ANSWER = 'You can park behind the house, free of charge.';

export async function stressAssistantKillNine(amount: Amount): Promise<void> {
  const environment = {
    PARLEY_PROCESSES: 'separate',
    PARLEY_REPLICAS: '2',
    PARLEY_REPLICATED: 'call-control,assistant',
    LOG_LEVEL: 'info',
  };
  const stack = await startLocalStack({ environment });
  let isPassed = false;
  try {
    await warmUp(stack.local);
    const fixture = await openAssistantCompany({}, stack.local);
    const oliver = await fixture.hire('Oliver', true);
    await fixture.know('Parking', ANSWER, { questions: ['Where can I park?'] });
    const number = await fixture.number(fixture.config);
    const end = performance.now() + amount.minutes * 60_000;
    for (let index = 0; index < amount.count && performance.now() < end; index += 1)
      await survive({ stack, fixture, oliver, number }, ROUNDS[index % ROUNDS.length]!, index);
    isPassed = true;
  } finally {
    if (!isPassed) console.log(`  the logs are kept in ${stack.dataDir}/logs`);
    await stack.stop(isPassed ? undefined : 'keep');
  }
}

interface Setting {
  readonly stack: LocalStack;
  readonly fixture: AssistantCompany;
  readonly oliver: Employee;
  readonly number: string;
}

interface Call {
  readonly legId: string;
  readonly callId: string;
}

async function survive(setting: Setting, { moment, victim }: Round, index: number): Promise<void> {
  const { stack, fixture, oliver, number } = setting;
  await healthy(stack);
  await fixture.waitUntilIdle(oliver);
  const call = await fixture.callAssistant(number, `+452030${String(1000 + index)}`);
  await bring(setting, call, moment);
  const killedAt = performance.now();
  kill(stack, victim);
  const wanted = moment === 'ringing' || moment === 'whispering' ? connected : answered;
  const outcome = await wanted(setting, call, moment).catch(async (error: unknown) => {
    console.log(JSON.stringify(await itemsOf(fixture, call.callId), null, 1));
    throw error;
  });
  const tookMs = Math.round(performance.now() - killedAt);
  const isResumed = (await itemsOf(fixture, call.callId)).some(({ event }) => event === 'resumed');
  console.log(`  ${moment}, ${victim} killed: ${outcome} after ${tookMs} ms${isResumed ? ', resumed' : ''}`);
  requireThat((await fixture.leg(call.legId)).state === 'connected', `${call.callId}: the caller was dropped`);
  await sleep(THANKS_MS);
  await fixture.hangUp(call.legId);
  await checkEnd(setting, call.callId, outcome);
}

async function bring({ fixture, oliver }: Setting, { legId, callId }: Call, moment: Round['moment']): Promise<void> {
  if (moment === 'talking') return;
  if (moment === 'answering') {
    await fixture.say(legId, 'Where can I park?');
    await fixture.item(callId, 'the answer', ({ response_ms: ms }) => !!ms);
    return;
  }
  await fixture.say(legId, 'Could you connect me with Oliver?');
  await fixture.rings(oliver);
  if (moment === 'whispering') await fixture.answer(oliver);
}

function kill(stack: LocalStack, victim: Round['victim']): void {
  const service = victim.replace(/s$/, '');
  const pids = processesOfService(stack, service);
  const victims = victim.endsWith('s') ? pids : pids.slice(0, 1);
  for (const pid of victims) process.kill(pid, 'SIGKILL');
}

/** The caller goes on asking, and is answered, or goes on with the fallback. */
async function answered({ fixture }: Setting, { legId, callId }: Call): Promise<'resolved' | 'fallback'> {
  const asked = (await itemsOf(fixture, callId)).length;
  const end = performance.now() + WITHIN_MS;
  const isOver = async () => {
    if ((await fixture.heard(legId)).includes('Please leave a message.')) return 'fallback';
    const items = await itemsOf(fixture, callId);
    return items.some(({ sequence, spoken }) => sequence > asked && spoken === ANSWER) ? 'resolved' : undefined;
  };
  while (performance.now() < end) {
    await fixture.say(legId, 'Where can I park?');
    for (let polls = 0; polls < POLLS; polls += 1) {
      const found = await isOver();
      if (found) return found;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`${callId}: nobody answers`);
}

/** Whoever rings answers, and is connected with the caller. */
async function connected(
  { fixture, oliver }: Setting,
  { callId }: Call,
  moment: Round['moment'],
): Promise<'transferred'> {
  if (moment === 'ringing') await fixture.answer(oliver);
  await waitUntil(async () => (await fixture.call(callId).catch(() => undefined))?.state === 'bridged', {
    what: `${callId} is connected`,
    timeoutMs: WITHIN_MS,
  });
  return 'transferred';
}

const itemsOf = async (fixture: AssistantCompany, callId: string): Promise<Item[]> =>
  (await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}/assistant_session?limit=100`))).body.items;

async function checkEnd({ fixture }: Setting, callId: string, outcome: string): Promise<void> {
  const events = await fixture.events(callId, 'call.ended');
  requireThat(events.filter((type) => type === 'call.ended').length === 1, `${callId} has events ${events.join(', ')}`);
  const session = await waitUntil(
    async () => {
      const { body } = await fixture.company.call('GET', `/calls/${callId}/assistant_session?limit=100`);
      return body.state === 'ended' && body.summary ? body : undefined;
    },
    { what: 'the end of the session', timeoutMs: WITHIN_MS },
  );
  requireThat(session.outcome === outcome, `${callId} has the outcome ${session.outcome}`);
  const sequences = session.items.map(({ sequence }: Item) => sequence);
  requireThat(
    sequences.every((sequence: number, at: number) => sequence === at + 1),
    `${callId} has items ${sequences}`,
  );
}
