// How long callers of an assistant wait, in the audio of their phones, and what a minute of a session costs, with the whole stack on this
// machine. The targets are those of the contract.
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit/wait-until';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import type { Employee } from '../calls/phone-company.ts';
import { operate, sandbox, succeeded } from '../support/api.ts';
import { warmUp } from '../support/warm-up.ts';
import { type BenchStack, withStack } from './bench-stack.ts';
import { delaysAfter, interruptions, readCallAudio } from './heard-delays.ts';
import { cpuTimeMs, idleCpuTime, memoryShareMb, percentile } from './measuring.ts';

/** Of the process, on two cores. */
const SESSIONS_MAX = 10;
const CALLS = 4;
const INTERRUPTIONS = 10;
const RINGS = 4;
const NAMES = 8;
const QUESTIONS = ['Where can I park?', 'Are you open now?'];
const MINUTE_MS = 60_000;
const MODEL = 'bench';
const LIMIT_MS = 60_000;
/** Nothing is synthesized any more. */
const IDLE_MS_A_SECOND = 150;
const FIRST_TOKEN_MS = 200;
const TOKEN_MS = 15;

interface Bench {
  readonly stack: BenchStack;
  readonly fixture: AssistantCompany;
  readonly oliver: Employee;
  readonly number: string;
}

type Call = Awaited<ReturnType<AssistantCompany['callAssistant']>>;

let callers = 0;
const newCaller = () => `+4520${String(100_000 + (callers += 1))}`;

export function benchmarkAssistant(): Promise<void> {
  return withStack({ processes: 'one' }, async (stack) => {
    await warmUp(stack.local);
    const fixture = await openAssistantCompany({}, stack.local);
    const limits = { assistant: { simultaneous_sessions: SESSIONS_MAX } };
    await succeeded(operate(stack.local, 'PATCH', `/companies/${fixture.company.id}`, limits));
    const oliver = await fixture.hire('Oliver', true);
    const ada = await fixture.hire('Ada', true);
    await fixture.know('Parking', 'You can park behind the house, free of charge.', {
      questions: ['Where can I park?'],
    });
    const number = await fixture.number(fixture.config);
    const bench = { stack, fixture, oliver, number };
    await sentencesAreMade(bench);

    print('an entry', await asked(bench, QUESTIONS, CALLS), 800, 1400);
    print('caller begins to speak -> silent', await interrupted(bench, INTERRUPTIONS), 350, 600);
    const ringing = await rung(bench);
    print('answers -> hears the matter', ringing.whispers, 500, 1000);
    print('declines -> caller hears the assistant', ringing.declines, 1000, 2000);
    await fixture.online(oliver, false);
    print('a sentence with a name', await asked(bench, ['Could you connect me with Oliver?'], NAMES), 1100, 1900);
    for (const count of [4, 10]) {
      const all = Array.from({ length: count }, () => asked(bench, QUESTIONS, 1));
      print(`an entry, ${count} sessions at once`, (await Promise.all(all)).flat(), 800, count > 4 ? 3000 : 1400);
    }
    const minute = await sessionMinute(bench);
    const bridged = await bridgedMinute(bench, ada);
    console.log(
      `a minute of a session: ${(minute.cpuMs / 1000).toFixed(1)} s CPU, of a bridged call ${(bridged / 1000).toFixed(1)} s; ` +
        `target 12 s more; memory of all processes ${minute.memoryMb.toFixed(0)} MB`,
    );
    await useModel(bench);
    print('endpoint', await asked(bench, ['Do you have anything for children?', 'And for dogs?'], CALLS), 1100, 1900);
  });
}

/** Sentences of the product are made in the background when the first assistant is saved. */
async function sentencesAreMade({ stack }: Bench): Promise<void> {
  const pids = stack.pidsOf();
  await waitUntil(async () => (await idleCpuTime(pids)) < IDLE_MS_A_SECOND, { what: 'silence', timeoutMs: 240_000 });
}

/** In each call every question is asked twice: nothing is said three times. */
async function asked(bench: Bench, questions: readonly string[], calls: number): Promise<number[]> {
  const { fixture, number } = bench;
  const delays: number[] = [];
  const twice = questions.length > 1 ? [...questions, ...questions] : questions;
  for (let index = 0; index < calls; index += 1) {
    const call = await fixture.callAssistant(number, newCaller());
    for (const question of twice) await fixture.ask(call, question);
    delays.push(...delaysAfter(await audioOf(bench, call)));
    await fixture.over(call);
  }
  return delays;
}

async function interrupted(bench: Bench, turns: number): Promise<number[]> {
  const { fixture, number } = bench;
  const times: number[] = [];
  for (let attempts = 0; times.length < turns && attempts < 2 * turns; attempts += 1) {
    const call = await fixture.callAssistant(number, newCaller());
    await fixture.say(call.legId, 'Where can I park?');
    await fixture.item(call.callId, 'the answer', ({ response_ms: ms }) => !!ms);
    await sleep(300);
    await fixture.ask(call, 'When are you open?');
    times.push(...interruptions(await audioOf(bench, call)).slice(0, 1));
    await fixture.over(call);
  }
  return times;
}

async function rung(bench: Bench): Promise<{ whispers: number[]; declines: number[] }> {
  const { fixture, oliver, number } = bench;
  const [whispers, declines]: number[][] = [[], []];
  for (let round = 0; round < 2 * RINGS; round += 1) {
    await fixture.waitUntilIdle(oliver);
    const call = await fixture.callAssistant(number, newCaller());
    await fixture.say(call.legId, 'Could you connect me with Oliver?');
    const { leg_id: legId } = await fixture.rings(oliver);
    if (round % 2 === 0) {
      await fixture.answer(oliver);
      await fixture.state(call.callId, 'bridged');
      whispers!.push(readCallAudio(await wavOf(bench, legId)).heard[0]?.fromMs ?? Infinity);
    } else {
      const declinedAt = Date.now();
      await fixture.decline(oliver);
      const { started_at: startedAt } = await fixture.said(call.callId, /Oliver cannot/);
      // Not from the audio: the music they wait with goes over into speech without a pause.
      declines!.push(Date.parse(startedAt!) - declinedAt);
    }
    await fixture.over(call);
  }
  return { whispers: whispers!, declines: declines! };
}

/** A caller who asks something every ten seconds. */
async function sessionMinute(bench: Bench): Promise<{ cpuMs: number; memoryMb: number }> {
  const { fixture, number, stack } = bench;
  const call = await fixture.callAssistant(number, newCaller());
  const pids = stack.pidsOf();
  const [before, start] = [cpuTimeMs(pids), performance.now()];
  for (let turn = 0; performance.now() - start < MINUTE_MS; turn += 1) {
    await fixture.ask(call, turn % 2 === 0 ? 'Where can I park?' : 'When are you open?');
    await sleep(Math.min(5000, Math.max(0, MINUTE_MS - (performance.now() - start))));
  }
  const perMs = (cpuTimeMs(pids) - before) / (performance.now() - start);
  const memoryMb = pids.reduce((sum, pid) => sum + memoryShareMb(pid), 0);
  await fixture.over(call);
  return { cpuMs: perMs * MINUTE_MS, memoryMb };
}

async function bridgedMinute({ fixture, stack }: Bench, employee: Employee): Promise<number> {
  const number = await fixture.number({ type: 'TransferConfig', employee_ids: [employee.id] });
  const call = await fixture.talk(number, employee);
  const pids = stack.pidsOf();
  const before = cpuTimeMs(pids);
  const start = performance.now();
  for (let turn = 0; turn < 6; turn += 1) {
    await fixture.say(call.legId, turn % 2 === 0 ? 'Where can I park?' : 'When are you open?');
    await sleep(7000);
  }
  const perMs = (cpuTimeMs(pids) - before) / (performance.now() - start);
  await fixture.over(call);
  return perMs * MINUTE_MS;
}

async function useModel({ fixture, stack: { local } }: Bench): Promise<void> {
  const turn = {
    reply: 'Yes, of course we do. Is there anything else?',
    first_token_ms: FIRST_TOKEN_MS,
    token_ms: TOKEN_MS,
  };
  await succeeded(sandbox(local, 'PUT', `/llm/scripts/${MODEL}`, { turns: [turn], at_end: 'repeat' }));
  const url = `${local.sandbox_url}/llm/v1`;
  await succeeded(fixture.company.call('PUT', '/assistant_endpoint', { url, model: MODEL, api_key: 'key' }));
  await waitUntil(async () => (await fixture.company.call('GET', '/assistant_endpoint')).body.state === 'ok', {
    what: 'the model',
    timeoutMs: LIMIT_MS,
  });
}

async function wavOf({ stack }: Bench, legId: string): Promise<Buffer> {
  const response = await fetch(`${stack.local.sandbox_url}/legs/${legId}/audio`);
  return Buffer.from(await response.arrayBuffer());
}

const audioOf = async (bench: Bench, { legId }: Call) => readCallAudio(await wavOf(bench, legId));

function print(what: string, values: readonly number[], p50: number, p95: number): void {
  const [middle, high] = [percentile(values, 0.5), percentile(values, 0.95)];
  const verdict = middle <= p50 && high <= p95 ? '' : '  MISSED';
  console.log(
    `${what.padEnd(40)} p50 ${middle.toFixed(0)} ms, p95 ${high.toFixed(0)} ms (${values.length}; target ${p50}, ${p95})${verdict}`,
  );
}
