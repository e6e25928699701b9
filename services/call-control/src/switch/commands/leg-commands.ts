import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '@parley/aggregates';
import type { Call } from '../../calls/model/call.ts';
import type { CallCommand, CommandResult, ControlStep, StepFailure } from '../../calls/model/call-command.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { assistantDialString } from '../connection/command-arguments.ts';
import type { NewLeg } from '../connection/command-lines.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import { atMostOnce, currentCall, type Handlers, onSwitch, untilConfirmed } from './command-handler.ts';
import { phonesOfEmployee } from '../trunks/phones-of-employee.ts';
import type { TrunkTickets } from '../trunks/trunk-ticket.ts';
import { permitOutside, type PermitOutsideDeps } from './permit-dialling.ts';

/** The destination of outbound calls: a dial string in which `{number}` is replaced. */
interface Carrier {
  readonly name: string;
  readonly dial: string;
  /** The header in which it takes the address of an emergency caller. */
  readonly emergency_address_header?: string | undefined;
}

export interface LegCommandDeps extends PermitOutsideDeps {
  readonly calls: Calls;
  readonly switches: Switches;
  readonly tickets: TrunkTickets;
  readonly carriers: readonly Carrier[];
}

/** An assistant answers at once, or not at all. */
const ASSISTANT_ANSWER_SECS = 5;
/** How far the order to record overtakes the company's other commands. */
const VOICEMAIL_AHEAD_MS = 10_000;
/** A leg begins to execute what was ordered some milliseconds after the switch has confirmed the order. */
const AUDIO_START_MS = 300;
/** A phone that is rung for nobody is noticed after a second or two. */
const HANG_UP_AGAIN_AFTER_MS = [1000, 5000];

/** Steps from whose success nothing follows; the switch reports what they lead to. */
const PLAIN_STEPS: ReadonlySet<ControlStep['do']> = new Set([
  'take',
  'answer',
  'ring',
  'send_early_media',
  'stop_audio',
  'play',
  'hang_up',
  'stop_recording',
  'supervise',
]);

/** The legs of calls on their switch. */
export function legCommands(
  deps: LegCommandDeps,
): Handlers<'control' | 'record' | 'ring' | 'dial' | 'dial_assistant' | 'check_legs' | 'check_audio'> {
  return {
    control: untilConfirmed<'control'>(
      ({ steps }, context) =>
        onSwitch(deps, context, async (at, call) => {
          const failures = await controlLegs(at, call, steps, context);
          hangUpAgain(at, call, steps, failures);
          return { kind: 'control', failures };
        }),
      {
        needsSettling: ({ steps }, result) =>
          result.kind !== 'control' ||
          result.failures.length > 0 ||
          !steps.every(({ do: step }) => PLAIN_STEPS.has(step)),
      },
    ),
    record: atMostOnce<'record'>(
      ({ step }, context) =>
        onSwitch(deps, context, async (at, call) => ({
          kind: 'control',
          failures: await controlLegs(at, call, [step], context),
        })),
      // Somebody speaks already; whoever has just arrived hears the ringing tone.
      { startsWithWrite: true, mayWaitMs: () => -VOICEMAIL_AHEAD_MS },
    ),
    ring: atMostOnce<'ring'>((command, context) =>
      onSwitch(deps, context, (at, call) => ring(deps, at, call, command, context), currentCall),
    ),
    dial: atMostOnce<'dial'>((command, context) => {
      const dialled = async (at: Switch, call: Call): Promise<CommandResult> => ({
        kind: 'dial',
        refused: await dial(at, call, command, deps, context),
      });
      return onSwitch(deps, context, dialled, currentCall);
    }),
    dial_assistant: atMostOnce<'dial_assistant'>((command, context) => {
      const dialled = async (at: Switch, call: Call): Promise<CommandResult> => ({
        kind: 'dial',
        refused: await dialAssistant(at, call, command, context),
      });
      return onSwitch(deps, context, dialled, currentCall);
    }),
    check_legs: untilConfirmed<'check_legs'>(({ legIds }, context) =>
      onSwitch(deps, context, async (at) => ({ kind: 'check_legs', existing: await at.existing(legIds) })),
    ),
    check_audio: untilConfirmed<'check_audio'>(({ legId, recording }, context) =>
      onSwitch(deps, context, async (at) => {
        await sleep(AUDIO_START_MS);
        const application = await at.applicationOf(legId);
        const isBegun = recording === undefined ? undefined : await at.hasFile(recording);
        return { kind: 'check_audio', application, ...(isBegun !== undefined && { isBegun }) };
      }),
    ),
  };
}

/**
 * Executes the steps of a command; the failures among them. Nothing is sent for a leg that has ended: under load the switch
 * would execute it before what others wait for. An order to hang up is, since a leg that we create may exist later.
 */
export async function controlLegs(
  at: Pick<Switch, 'control'>,
  { id, legs }: Pick<Call, 'id' | 'legs'>,
  steps: readonly ControlStep[],
  { isLeased }: Pick<CommandContext, 'isLeased'>,
): Promise<readonly StepFailure[]> {
  const hasEnded = (step: ControlStep) =>
    step.do !== 'hang_up' && 'legId' in step && !legs.some((leg) => leg.id === step.legId);
  const sent = steps.filter((step) => !hasEnded(step));
  const failures = sent.length === 0 ? [] : await at.control(id, sent, isLeased);
  return steps.flatMap((step, index) => {
    if (hasEnded(step)) return { step: index, reason: 'the leg has ended', noSuchLeg: true };
    const failure = failures.find((one) => sent[one.step] === step);
    return failure ? { ...failure, step: index } : [];
  });
}

/**
 * A switch accepts the order to create a leg before the leg exists: the order to end it may come too early and find
 * nothing. It is repeated, unless this process ends; then reconciliation finds the leg.
 */
export function hangUpAgain(
  at: Pick<Switch, 'control'>,
  call: Call,
  steps: readonly ControlStep[],
  failures: readonly StepFailure[],
): void {
  const missed = failures.filter(({ noSuchLeg }) => noSuchLeg).flatMap(({ step }) => steps[step] ?? []);
  const again = missed.filter((step) => step.do === 'hang_up' && isOurs(call, step.legId));
  if (again.length === 0) return;
  for (const waitMs of HANG_UP_AGAIN_AFTER_MS)
    setTimeout(() => void at.control(call.id, again).catch(() => undefined), waitMs).unref();
}

/** A leg that arrived existed before it was known. */
function isOurs({ direction, customerLegId, initiatedBy, legs }: Call, legId: string): boolean {
  if (direction === 'inbound') return legId !== customerLegId;
  const leg = legs.find(({ id }) => id === legId);
  return leg === undefined || leg.employeeId !== initiatedBy?.id;
}

/** Every registered phone of the employee; those that are no longer needed are not rung. */
async function ring(
  deps: LegCommandDeps,
  at: Switch,
  call: Call,
  command: Extract<CallCommand, { kind: 'ring' }>,
  { isLeased }: Pick<CommandContext, 'isLeased'>,
): Promise<CommandResult> {
  const { employeeId, timeoutSecs, room } = command;
  const legIds = command.legIds.filter((legId) => isWanted(call, legId));
  if (legIds.length === 0) return { kind: 'ring', rung: [] };
  const found = await phonesOfEmployee(deps, at, { id: call.id, employeeId, timeoutSecs });
  const phones = found.slice(0, legIds.length);
  const callerNumber = call.direction === 'inbound' ? call.from : call.to;
  const legs: NewLeg[] = phones.map((phone, index) => ({
    ...phone,
    legId: legIds[index]!,
    callId: call.id,
    employeeId,
    timeoutSecs,
    callerNumber,
    room,
  }));
  const ordered = await at.originate(legs, isLeased);
  const rung = ordered.filter(({ refused }) => refused === null).map(({ legId }) => legId);
  const contacts = Object.fromEntries(legs.map(({ legId, dialString }) => [legId, dialString]));
  return { kind: 'ring', rung, contacts };
}

/** A phone outside, at the call's carrier; the reason why it is not dialled, or null. */
async function dial(
  at: Switch,
  call: Call,
  command: Extract<CallCommand, { kind: 'dial' }>,
  deps: LegCommandDeps,
  { isLeased }: CommandContext,
): Promise<string | null> {
  const { carriers } = deps;
  const { legId, carrier, timeoutSecs, to = call.to, room = null } = command;
  const dialString = carriers[carrier]?.dial.replaceAll('{number}', to);
  if (dialString === undefined) return 'NO_CARRIER';
  if (!isWanted(call, legId)) return 'ORIGINATOR_CANCEL';
  const refused = command.asks ? await permitOutside(deps, call, legId, to) : null;
  if (refused !== null) return refused;
  const leg = {
    legId,
    callId: call.id,
    employeeId: null,
    timeoutSecs,
    callerNumber: call.number.number,
    dialString,
    room,
    headers: command.to === undefined ? emergencyHeaders(call, carriers[carrier]) : {},
  };
  const [ordered] = await at.originate([leg], isLeased);
  return ordered?.refused ?? null;
}

/** An assistant, at the place that is kept for it; the reason why it is not called, or null. */
async function dialAssistant(
  at: Switch,
  call: Call,
  { legId, address }: Extract<CallCommand, { kind: 'dial_assistant' }>,
  { isLeased }: CommandContext,
): Promise<string | null> {
  const dialString = assistantDialString(address);
  if (dialString === undefined) return 'NO_ROUTE_DESTINATION';
  if (!isWanted(call, legId)) return 'ORIGINATOR_CANCEL';
  const leg: NewLeg = {
    legId,
    callId: call.id,
    employeeId: null,
    timeoutSecs: ASSISTANT_ANSWER_SECS,
    callerNumber: null,
    dialString,
    room: null,
    isAssistant: true,
  };
  const [ordered] = await at.originate([leg], isLeased);
  return ordered?.refused ?? null;
}

function isWanted({ legs }: Pick<Call, 'legs'>, legId: string): boolean {
  return legs.some(({ id, hangingUp }) => id === legId && !hangingUp);
}

/** Percent-encoded, so that nothing in an address has a meaning in a header or in a command. */
function emergencyHeaders({ emergency }: Call, carrier: Carrier | undefined): Record<string, string> {
  const name = carrier?.emergency_address_header;
  // The address is unknown while directory cannot be reached: the call is placed all the same.
  if (!emergency || emergency.address === '' || name === undefined) return {};
  return { [name]: encodeAddress(emergency.address) };
}

/** Letters, digits and marks that mean nothing to a switch or in a SIP header stay as they are. */
const PLAIN = /[A-Za-z0-9._-]/;
/** A carrier may cut or refuse longer headers. */
const LENGTH_MAX = 400;

/** An address for a SIP header: UTF-8, percent-encoded, of bounded length. */
export function encodeAddress(address: string): string {
  let encoded = '';
  for (const character of address.replaceAll(/\s+/g, ' ').trim()) {
    const next = PLAIN.test(character) ? character : percentEncoded(character);
    if (encoded.length + next.length > LENGTH_MAX) break;
    encoded += next;
  }
  return encoded;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
