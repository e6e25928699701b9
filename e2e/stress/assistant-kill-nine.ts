// Callers talk with an assistant while its processes, call-control or the speech service are killed with -9, or frozen.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AssistantCompany, type Item, openAssistantCompany } from '../assistants/assistant-company.ts';
import type { Employee } from '../calls/phone-company.ts';
import { operate, succeeded } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { warmUp } from '../support/warm-up.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { cause, type Fault } from './assistant-faults.ts';
import { checkEnd, itemsOf } from './assistant-ends.ts';
import { type Amount, requireThat } from './stress-stack.ts';

/** What goes on when something happens to a process. */
type Moment = 'talking' | 'answering' | 'asking' | 'ringing' | 'whispering' | 'connected';
type Round = readonly [Moment, Fault];
type Outcome = 'resolved' | 'fallback' | 'transferred';

const ROUNDS: readonly Round[] = [
  ['talking', 'assistant killed'],
  ['talking', 'assistant frozen'],
  ['ringing', 'assistant killed'],
  ['answering', 'call-control killed'],
  ['talking', 'speech killed'],
  ['asking', 'call-controls killed'],
  ['connected', 'call-control killed'],
  ['answering', 'assistant killed'],
  ['ringing', 'call-controls killed'],
  ['whispering', 'assistant frozen'],
  ['talking', 'assistants killed'],
  ['whispering', 'call-control killed'],
  ['asking', 'assistant killed'],
  ['whispering', 'assistant killed'],
  ['talking', 'call-controls killed'],
  ['ringing', 'call-control killed'],
  ['connected', 'call-controls killed'],
  ['answering', 'assistant frozen'],
  ['whispering', 'call-controls killed'],
  ['answering', 'speech killed'],
  ['asking', 'assistant frozen'],
  ['ringing', 'assistants killed'],
  ['ringing', 'assistant frozen'],
];

/** Another seed has other moments; the same one repeats a run. */
const SEED = Number(process.env['PARLEY_STRESS_SEED'] ?? Date.now() % 1_000_000);
const WITHIN_MS = 60_000;
/** The fault comes within this time after the moment has begun. */
const DELAY_MS_MAX = 800;
/** Whoever was frozen has had the time to do something. */
const AWAKE_MS = 2000;
/** What took longer is shown in detail. */
const LONG_MS = 12_000;
/** Nobody hangs up within a moment of the answer. */
const THANKS_MS = 2000;
/** How long the caller waits before asking again. */
const AGAIN_MS = 6000;
const POLL_MS = 250;
/** The same answer is given twice at most. */
const QUESTIONS = {
  before: ['Parking', 'Where can I park?', 'You can park behind the house, free of charge.'],
  after: ['Repairs', 'How long does a repair take?', 'A repair takes two days.'],
  atLast: ['Delivery', 'Do you deliver bicycles?', 'We deliver bicycles on Fridays.'],
} as const;
const REQUEST = 'Could you connect me with Oliver?';

export async function stressAssistantKillNine(amount: Amount): Promise<void> {
  const environment = {
    PARLEY_PROCESSES: 'separate',
    PARLEY_REPLICAS: '2',
    PARLEY_REPLICATED: 'call-control,assistant',
    LOG_LEVEL: 'info',
  };
  console.log(`  PARLEY_STRESS_SEED=${SEED}`);
  const random = seededRandom(SEED);
  const stack = await startLocalStack({ environment });
  let isPassed = false;
  try {
    await warmUp(stack.local);
    const setting = { stack, random, ...(await openSetting(stack)) };
    const end = performance.now() + amount.minutes * 60_000;
    for (let index = 0; index < amount.count && performance.now() < end; index += 1)
      await survive(setting, ROUNDS[index % ROUNDS.length]!, index);
    isPassed = true;
  } finally {
    if (!isPassed) console.log(`  the logs are kept in ${stack.dataDir}/logs`);
    await stack.stop(isPassed ? undefined : 'keep');
  }
}

interface Setting {
  readonly stack: LocalStack;
  readonly random: Random;
  readonly fixture: AssistantCompany;
  readonly oliver: Employee;
  readonly number: string;
}

async function openSetting({ local }: LocalStack) {
  const fixture = await openAssistantCompany({}, local);
  // A session whose place is not given back lets nobody else in.
  const assistant = { simultaneous_sessions: 1 };
  await succeeded(operate(local, 'PATCH', `/companies/${fixture.company.id}`, { assistant }));
  const oliver = await fixture.hire('Oliver', true);
  for (const [title, question, answer] of Object.values(QUESTIONS))
    await fixture.know(title, answer, { questions: [question] });
  return { fixture, oliver, number: await fixture.number(fixture.config) };
}

interface Call {
  readonly legId: string;
  readonly callId: string;
}

async function survive(setting: Setting, [moment, fault]: Round, index: number): Promise<void> {
  const { stack, fixture, oliver, number, random } = setting;
  await healthy(stack);
  await fixture.waitUntilIdle(oliver);
  const call = await fixture.callAssistant(number, `+452030${String(1000 + index)}`);
  try {
    await bring(setting, call, moment);
    await sleep(random.below(DELAY_MS_MAX));
    const causedAt = performance.now();
    const caused = cause(stack, fault);
    const outcome = await settled(setting, call, moment);
    const tookMs = Math.round(performance.now() - causedAt);
    const { resumedAfterMs } = await timesOf(setting, call, performance.timeOrigin + causedAt);
    console.log(`  ${moment}, ${fault}: ${outcome} after ${tookMs} ms${resumedAfterMs}`);
    if (tookMs > LONG_MS) await printItems(fixture, call.callId);
    await caused;
    await healthy(stack);
    if (fault.endsWith('frozen')) await sleep(AWAKE_MS);
    if (outcome === 'resolved')
      requireThat((await answered(setting, call, 'atLast')) === 'resolved', 'the assistant has left');
    // A voicemail ends by itself when nothing is said.
    if (outcome !== 'fallback')
      requireThat((await fixture.leg(call.legId)).state === 'connected', 'the caller was dropped');
    await sleep(THANKS_MS);
    await fixture.hangUp(call.legId);
    await checkEnd(fixture, call, outcome);
  } catch (error) {
    console.log(`  ${moment}, ${fault}, ${call.callId}:`);
    await printItems(fixture, call.callId);
    throw error;
  }
}

async function printItems(fixture: AssistantCompany, callId: string): Promise<void> {
  for (const item of await fixture.items(callId).catch(() => [])) console.log(`    ${JSON.stringify(item)}`);
}

async function bring({ fixture, oliver }: Setting, { legId, callId }: Call, moment: Moment): Promise<void> {
  if (moment === 'talking') return;
  if (moment === 'answering') {
    await fixture.say(legId, QUESTIONS.before[1]);
    await fixture.item(callId, 'the answer', ({ response_ms: ms }) => !!ms);
    return;
  }
  await fixture.say(legId, REQUEST);
  if (moment === 'asking')
    return void (await fixture.item(callId, 'the question', ({ speaker }) => speaker === 'caller'));
  await fixture.rings(oliver);
  if (moment === 'ringing') return;
  await fixture.answer(oliver);
  if (moment === 'connected') await fixture.state(callId, 'bridged');
}

/** What becomes of the caller. */
async function settled(setting: Setting, call: Call, moment: Moment): Promise<Outcome> {
  if (moment === 'talking' || moment === 'answering') return answered(setting, call, 'after');
  if (moment === 'asking') return asked(setting, call);
  if (moment === 'ringing') await setting.fixture.answer(setting.oliver);
  return connected(setting, call);
}

/** The caller says something again and again until something has become of it, or goes on with the fallback. */
async function repeated<Found>(
  { fixture }: Setting,
  { legId, callId }: Call,
  text: string,
  look: () => Promise<Found | undefined>,
): Promise<Found | 'fallback'> {
  const end = performance.now() + WITHIN_MS;
  while (performance.now() < end) {
    await fixture.say(legId, text).catch(() => undefined);
    const again = performance.now() + AGAIN_MS;
    while (performance.now() < again) {
      if ((await fixture.heard(legId)).includes('Please leave a message.')) return 'fallback';
      const found = await look();
      if (found) return found;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`${callId}: nobody answers`);
}

async function answered(setting: Setting, call: Call, asked: keyof typeof QUESTIONS): Promise<'resolved' | 'fallback'> {
  const [, question, answer] = QUESTIONS[asked];
  return repeated(setting, call, question, async () => {
    const items = await itemsOf(setting.fixture, call.callId);
    return items.some(({ spoken }) => spoken?.endsWith(answer)) ? 'resolved' : undefined;
  });
}

/** Somebody rings, or the caller is told that this was not possible and is answered all the same. */
async function asked(setting: Setting, call: Call): Promise<Outcome> {
  const { fixture, oliver } = setting;
  const became = await repeated(setting, call, REQUEST, async () => {
    if ((await fixture.phone(oliver)).legs.some(({ state }) => state === 'ringing')) return 'ringing';
    const items = await itemsOf(fixture, call.callId);
    return items.some(({ action, result }) => action === 'transfer_call' && result) ? 'failed' : undefined;
  });
  if (became === 'fallback') return 'fallback';
  if (became === 'failed') return answered(setting, call, 'after');
  await fixture.answer(oliver);
  return connected(setting, call);
}

async function connected({ fixture }: Setting, { callId }: Call): Promise<'transferred'> {
  await waitUntil(async () => (await fixture.call(callId).catch(() => undefined))?.state === 'bridged', {
    what: `${callId} is connected`,
    timeoutMs: WITHIN_MS,
  });
  return 'transferred';
}

/** How soon another process has continued the session, where one has. */
async function timesOf({ fixture }: Setting, { callId }: Call, causedAt: number): Promise<{ resumedAfterMs: string }> {
  const resumed = (await itemsOf(fixture, callId)).find(({ event }: Item) => event === 'resumed');
  if (!resumed?.at) return { resumedAfterMs: '' };
  return { resumedAfterMs: `, resumed after ${Math.round(Date.parse(resumed.at) - causedAt)} ms` };
}
