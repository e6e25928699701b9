// Callers who leave voicemails while one of two replicas of call-control is frozen with SIGSTOP, and then the other one.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { retryUntilSuccess } from './call-phases.ts';
import { type Amount, requireThat, retry, untilAnswered } from './stress-stack.ts';

/** Two replicas of call-control, one process of everything else. */
export const TWO_CALL_CONTROLS = {
  PARLEY_PROCESSES: 'separate',
  PARLEY_REPLICAS: '2',
  PARLEY_REPLICATED: 'call-control',
  LOG_LEVEL: 'info',
};

interface Caller {
  readonly from: string;
  readonly legId: string;
  /** Why the switch ended the call before the caller did. */
  endedWith?: string;
}

export interface FrozenReplicas {
  readonly callers: number;
  readonly perSecond: number;
  readonly frozenMs: number;
}

/** Longer than a take-over: what is said before the recording begins cannot be kept. */
const MESSAGE_MS = 10_000;
const PATIENCE_MS = 60_000;
const KEPT_WITHIN_MS = 60_000;

/** Every caller is answered, has one record and one voicemail. Each replica is frozen once, whichever reads the switch. */
export async function leaveVoicemailsWhileFrozen(
  stack: LocalStack,
  fixture: PhoneCompany,
  { callers: count, perSecond, frozenMs }: FrozenReplicas,
): Promise<void> {
  await fixture.limits({ simultaneous_calls: 10_000, calls_per_minute: 10_000 });
  const number = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  const freezes = processesOfService(stack, 'call-control').map((pid, index) => ({
    pid,
    atCaller: Math.floor((count * (2 * index + 1)) / 4),
  }));
  const freezing: Promise<void>[] = [];
  const callers: Promise<Caller>[] = [];
  const end = Date.now() + (count / perSecond) * 1000;
  for (let index = 0; index < count; index++) {
    const freeze = freezes.find(({ atCaller }) => atCaller === index);
    // One after the other: with both frozen nobody can be served.
    if (freeze) freezing.push(Promise.all(freezing).then(() => freezeProcess(freeze.pid, frozenMs)));
    callers.push(leaveVoicemail(fixture, number, `+4531${String(index).padStart(6, '0')}`));
    await sleep(Math.max(0, end - Date.now()) / (count - index));
  }
  await Promise.all(freezing);
  await checkRecords(fixture, await Promise.all(callers));
}

async function freezeProcess(pid: number, frozenMs: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(frozenMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function leaveVoicemail(fixture: PhoneCompany, number: string, from: string): Promise<Caller> {
  const caller: Caller = { from, legId: await fixture.dial(number, from) };
  const hears = await waitUntil(
    async () => {
      const { state, heard, hangup_cause: cause } = await fixture.leg(caller.legId);
      return state === 'ended' ? (cause ?? 'unknown') : heard.at(-1)?.kind === 'beep' && 'beep';
    },
    { what: 'the beep', timeoutMs: PATIENCE_MS },
  ).catch(() => 'no beep');
  if (hears !== 'beep') return { ...caller, endedWith: hears };
  await sleep(MESSAGE_MS);
  // The recording may have ended by itself, because nothing is said.
  await sandbox(fixture.stack, 'POST', `/legs/${caller.legId}/hangup`);
  return caller;
}

async function checkRecords(fixture: PhoneCompany, callers: readonly Caller[]): Promise<void> {
  const released = callers.filter(({ endedWith }) => endedWith !== undefined);
  const isComplete = async () => (await allVoicemails(fixture)).length >= callers.length - released.length || undefined;
  await retry('all voicemails', isComplete, KEPT_WITHIN_MS).catch(() => undefined);
  const [calls, voicemails] = await Promise.all([allCalls(fixture), allVoicemails(fixture)]);
  const numberOf = (items: readonly Item[], from: string) => items.filter((item) => item.from === from).length;
  const without = callers.filter(({ from, endedWith }) => endedWith === undefined && numberOf(voicemails, from) !== 1);
  const twice = callers.filter(({ from }) => numberOf(calls, from) > 1);
  const found = {
    released: released.map(({ from, endedWith }) => `${from} ${endedWith}`),
    withoutVoicemail: without.map(({ from }) => from),
    withSecondRecord: twice.map(({ from }) => from),
    openCalls: calls.filter(({ state }) => state !== 'ended').map(({ from }) => from),
  };
  requireThat(
    Object.values(found).every(({ length }) => length === 0),
    JSON.stringify(found, null, 2),
  );
}

interface Item {
  readonly from: string;
  readonly state?: string;
}

async function allCalls(fixture: PhoneCompany): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await untilAnswered(() => fixture.company.call('GET', `/calls?limit=50${query}`));
    items.push(...body.calls);
    cursor = body.next_cursor;
  }
  return items;
}

async function allVoicemails(fixture: PhoneCompany): Promise<Item[]> {
  return (await untilAnswered(() => fixture.company.call('GET', '/voicemails'))).body.voicemails;
}

export async function stressFrozenReplicas({ count }: Amount): Promise<void> {
  const stack = await startLocalStack({ environment: TWO_CALL_CONTROLS });
  let isPassed = false;
  try {
    const fixture = await retryUntilSuccess(() => openPhoneCompany(stack.local));
    await leaveVoicemailsWhileFrozen(stack, fixture, { callers: count, perSecond: 6, frozenMs: 12_000 });
    isPassed = true;
  } finally {
    if (!isPassed) console.log(`  the logs are kept in ${stack.dataDir}/logs`);
    await stack.stop(isPassed ? undefined : 'keep');
  }
}
