import type { Employee, Leg, PhoneCompany } from '../calls/phone-company.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { untilAnswered } from './stress-stack.ts';

/** The phase of a call when the fault is injected. */
export const phases = [
  'talking',
  'consulting',
  'voicemail',
  'queued',
  'ringing',
  'arriving',
  'menu',
  'transfer_ringing',
  'timed',
] as const;
export type CallPhase = (typeof phases)[number];

/** A call that was brought to a phase. */
export interface PhaseCall {
  readonly phase: CallPhase;
  readonly index: number;
  readonly legId: string;
  readonly callId: string;
  /** In conversation, or rung. */
  readonly employee: Employee | undefined;
  /** Present in transfers. */
  readonly target: Employee | undefined;
  readonly transferId: string | undefined;
  /** When the target began to be rung at the earliest, milliseconds since 1970. */
  readonly transferStartedAt: number | undefined;
}

export const NO_ANSWER_SECS = 60;
/** Setting up is limited by the machine, and every waiting is a poll. */
const WORKERS = 6;
const ANSWER_WITHIN_MS = 120_000;
const SET_UP_ATTEMPTS = 5;

interface PhaseNumbers {
  readonly waiting: string;
  readonly welcome: string;
  readonly menu: string;
  readonly voicemail: string;
  readonly timed: string;
}

/** Calls in all phases, each with its own customer and employees. */
export async function placeCalls(
  fixture: PhoneCompany,
  count: number,
  only: readonly CallPhase[] = phases,
): Promise<PhaseCall[]> {
  const numbers = await retryUntilSuccess(async () => openNumbers(fixture, await fixture.hire('Away', false)));
  const lastSteps: (() => Promise<PhaseCall>)[] = [];
  await forEach(
    Array.from({ length: count }, (_, index) => index),
    async (index) => {
      lastSteps.push(await retryUntilSuccess(() => prepareCall(fixture, numbers, only[index % only.length]!, index)));
    },
  );
  // All at once, so that timers are still running, and prompts playing, when the fault is injected.
  return Promise.all(lastSteps.map(retryUntilSuccess));
}

/** On a busy machine requests may take too long; what is tested begins later. */
export async function retryUntilSuccess<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= SET_UP_ATTEMPTS) throw error;
      console.log(`  trying again: ${(error as Error).message}`);
    }
  }
}

/** Works on all of them, a few at the same time. */
export async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

async function openNumbers(fixture: PhoneCompany, away: Employee): Promise<PhaseNumbers> {
  const transfer = { type: 'TransferConfig', employee_ids: [away.id] };
  // On a busy machine without speech, calls continue without it.
  const unspoken = { awaitsPrompts: false };
  const [waiting, welcome, menu, voicemail, timed] = await Promise.all([
    fixture.number(transfer),
    fixture.number({ ...transfer, type: 'WelcomeTransferConfig', welcome: 'Welcome to the company.' }, unspoken),
    fixture.number(
      {
        type: 'PhoneMenuConfig',
        welcome: 'Press one to wait for somebody.',
        menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids: [away.id] }],
      },
      unspoken,
    ),
    fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' }, unspoken),
    fixture.number(transfer, {
      noAnswer: { type: 'RejectConfig', message: 'Nobody is here.', timeout_secs: NO_ANSWER_SECS },
      ...unspoken,
    }),
  ]);
  return { waiting, welcome, menu, voicemail, timed };
}

/** Does what takes long, and leaves the last step of those calls that stay in their phase for a limited time. */
async function prepareCall(
  fixture: PhoneCompany,
  numbers: PhaseNumbers,
  phase: CallPhase,
  index: number,
): Promise<() => Promise<PhaseCall>> {
  const from = `+4531${String(index).padStart(6, '0')}`;
  const dial = async (number: string, state?: string): Promise<PhaseCall> => {
    const { legId, callId } = await dialUntilTaken(fixture, number, from);
    if (state !== undefined) await fixture.state(callId, state);
    const transfer = { target: undefined, transferId: undefined, transferStartedAt: undefined };
    return { phase, index, legId, callId, employee: undefined, ...transfer };
  };
  switch (phase) {
    case 'arriving':
      return () => dial(numbers.welcome);
    case 'menu':
      return () => dial(numbers.menu, 'initiated');
    case 'timed':
      return () => dial(numbers.timed, 'queued');
    case 'queued':
      return placed(await dial(numbers.waiting, 'queued'));
    case 'voicemail':
      return placed(await dial(numbers.voicemail, 'recording'));
    default:
      return prepareAtEmployee(fixture, phase, index, dial);
  }
}

/** The switch gives up a caller whom nobody takes in time, as may happen on a busy machine; the caller tries again. */
async function dialUntilTaken(
  fixture: PhoneCompany,
  number: string,
  from: string,
): Promise<{ legId: string; callId: string }> {
  for (;;) {
    const legId = await fixture.dial(number, from);
    const leg = await waitUntil(
      async () => {
        const found = await fixture.leg(legId);
        return (found.call_id !== null || found.state === 'ended') && found;
      },
      { what: 'a call', timeoutMs: ANSWER_WITHIN_MS },
    );
    if (leg.call_id !== null) return { legId, callId: leg.call_id };
    console.log('  a caller was not taken in time and tries again');
  }
}

const placed = (call: PhaseCall) => async () => call;

async function prepareAtEmployee(
  fixture: PhoneCompany,
  phase: CallPhase,
  index: number,
  dial: (number: string) => Promise<PhaseCall>,
): Promise<() => Promise<PhaseCall>> {
  const employee = await fixture.hire(`${phase}-${index}`, true);
  const target = phase === 'talking' || phase === 'ringing' ? undefined : await fixture.hire(`target-${index}`, true);
  const number = await fixture.number({ type: 'TransferConfig', employee_ids: [employee.id] });
  const call: PhaseCall = { ...(await dial(number)), employee, target };
  await fixture.rings(employee);
  if (phase === 'ringing') return placed(call);
  await fixture.answer(employee);
  await fixture.state(call.callId, 'bridged');
  if (!target) return placed(call);
  const startTransfer = async (): Promise<PhaseCall> => {
    const transferStartedAt = Date.now();
    const path = `/calls/${call.callId}/transfers`;
    // One that was started too slowly for its answer is in progress, or is undone.
    const started = await waitUntil(
      async () => {
        const { status, body } = await employee.call('POST', path, { employee_id: target.id });
        if (status === 201) return body.transfer;
        return status === 409 && (await employee.call('GET', '/calls/active')).body?.transfer;
      },
      { what: 'a transfer', timeoutMs: ANSWER_WITHIN_MS },
    );
    await fixture.rings(target);
    return { ...call, transferId: started.id as string, transferStartedAt };
  };
  if (phase === 'transfer_ringing') return startTransfer;
  const consulting = await startTransfer();
  await fixture.answer(target);
  await waitForTransfer(employee, 'consulting');
  return placed(consulting);
}

/** Waits until the transfer of the employee's call is in this state; undefined: closed. */
export async function waitForTransfer(employee: Employee, state: string | undefined): Promise<void> {
  const isReached = async () => {
    const { status, body } = await employee.call('GET', '/calls/active');
    return status === 200 && body.transfer?.state === state;
  };
  await waitUntil(isReached, { what: `a transfer ${state ?? 'closed'}`, timeoutMs: ANSWER_WITHIN_MS });
}

/** The difference between a call's state and its phones; undefined when there is none. */
export async function differenceFromSwitch(fixture: PhoneCompany, { callId, legId }: PhaseCall) {
  const stateNow = async () =>
    (await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}`))).body.state as string;
  const before = await stateNow();
  const leg = await fixture.leg(legId);
  const seen = seenAs(leg);
  if (seen.includes(before)) return undefined;
  // The call may have changed between the two requests.
  const after = await stateNow();
  return seen.includes(after) ? undefined : `${after}, and its caller is ${leg.state} (${seen.join(' or ')})`;
}

/** The state of a call and of its channels, for the message of a failure. */
export async function describeCall(fixture: PhoneCompany, { phase, callId, legId }: PhaseCall): Promise<string> {
  const { body } = await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}/timeline`));
  const entries = (body.entries as object[]).map((entry) => `    ${Object.values(entry).join(' ')}`);
  const leg = await fixture.leg(legId);
  return [`  ${phase} ${callId}`, ...entries, `    the caller: ${JSON.stringify(leg)}`].join('\n');
}

/** The states that a call may have whose caller sees this. */
function seenAs({ state, heard }: Leg): readonly string[] {
  if (state === 'ended') return ['ended'];
  if (state === 'on_hold') return ['answered'];
  switch (heard.at(-1)?.kind) {
    case 'party':
      return ['bridged'];
    case 'beep':
      return ['recording'];
    case 'ringtone':
    case 'music':
      return ['initiated', 'queued', 'transferring'];
    default:
      return ['initiated', 'playing_audio'];
  }
}
