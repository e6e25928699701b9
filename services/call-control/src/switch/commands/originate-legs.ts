import type { CommandContext } from '@parley/aggregates';
import type { Call } from '../../calls/model/call.ts';
import type { CallCommand, CommandResult } from '../../calls/model/call-command.ts';
import type { NewLeg } from '../connection/command-lines.ts';
import type { Switch } from '../connection/switch-client.ts';
import { encodeAddress } from './encode-address.ts';
import type { PermitOutside } from './permit-outside.ts';

/** The destination of outbound calls: a dial string in which `{number}` is replaced. */
export interface Carrier {
  readonly name: string;
  readonly dial: string;
  /** The header in which it takes the address of an emergency caller. */
  readonly emergency_address_header?: string | undefined;
}

type RingCommand = Extract<CallCommand, { kind: 'ring' }>;
type DialCommand = Extract<CallCommand, { kind: 'dial' }>;

/** Every phone of the employee that is registered at the switch; those that are no longer needed are not rung. */
export async function ring(
  at: Switch,
  call: Call,
  command: RingCommand,
  { isLeased }: Pick<CommandContext, 'isLeased'>,
): Promise<CommandResult> {
  const { employeeId, timeoutSecs, room } = command;
  const isWanted = (legId: string) => call.legs.some(({ id, hangingUp }) => id === legId && !hangingUp);
  const legIds = command.legIds.filter(isWanted);
  if (legIds.length === 0) return { kind: 'ring', rung: [] };
  const phones = (await at.contactsOf(employeeId)).slice(0, legIds.length);
  const callerNumber = call.direction === 'inbound' ? call.from : call.to;
  const legs: NewLeg[] = phones.map((dialString, index) => ({
    legId: legIds[index]!,
    callId: call.id,
    employeeId,
    timeoutSecs,
    callerNumber,
    dialString,
    room,
  }));
  const ordered = await at.originate(legs, isLeased);
  const rung = ordered.filter(({ refused }) => refused === null).map(({ legId }) => legId);
  const contacts = Object.fromEntries(legs.map(({ legId, dialString }) => [legId, dialString]));
  return { kind: 'ring', rung, contacts };
}

/** A phone outside, at the call's carrier; the reason why it is not dialled, or null. */
export async function dial(
  at: Switch,
  call: Call,
  command: DialCommand,
  {
    carriers,
    permitOutside,
    isLeased,
  }: { readonly carriers: readonly Carrier[]; readonly permitOutside: PermitOutside } & Pick<
    CommandContext,
    'isLeased'
  >,
): Promise<string | null> {
  const { legId, carrier, timeoutSecs, to = call.to, room = null } = command;
  const dialString = carriers[carrier]?.dial.replaceAll('{number}', to);
  if (dialString === undefined) return 'NO_CARRIER';
  if (!call.legs.some(({ id, hangingUp }) => id === legId && !hangingUp)) return 'ORIGINATOR_CANCEL';
  const refused = command.asks ? await permitOutside(call, legId, to) : null;
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

/** Percent-encoded, so that nothing in an address has a meaning in a header or in a command. */
function emergencyHeaders({ emergency }: Call, carrier: Carrier | undefined): Record<string, string> {
  const name = carrier?.emergency_address_header;
  // The address is unknown while directory cannot be reached: the call is placed all the same.
  if (!emergency || emergency.address === '' || name === undefined) return {};
  return { [name]: encodeAddress(emergency.address) };
}
