import type { ApiCommand } from './allow-list.ts';
import type { SocketConnection } from './socket-client.ts';
import { validArgument } from './command-arguments.ts';
import { readArrival } from './read-switch-event.ts';
import type { Arrival, LegSnapshot } from '../../calls/model/leg-event.ts';
import { type PhoneContact, readPhoneContact } from './phone-contact.ts';

const ask = (connection: SocketConnection, command: ApiCommand) => connection.send(`api ${command}`);

/** Identifies one run of the switch's process: a new one means that all its calls have ended. */
export async function readCoreUuid(connection: SocketConnection): Promise<string> {
  const { ok, text } = await ask(connection, 'global_getvar core_uuid');
  if (!ok) throw new Error(`the switch does not report its uuid: ${text}`);
  return text;
}

/** Everything about a leg, named as in events; undefined when it does not exist. */
async function dump(connection: SocketConnection, legId: string): Promise<Record<string, string> | undefined> {
  const { ok, text } = await ask(connection, `uuid_dump ${validArgument('id', legId)} json`);
  return ok ? (JSON.parse(text) as Record<string, string>) : undefined;
}

/** Every leg that the switch lists: some that have ended are among them, and the newest may not be. */
export async function readLegs(connection: SocketConnection): Promise<readonly LegSnapshot[]> {
  const channels = readChannels((await ask(connection, 'show channels as json')).text);
  return Promise.all(
    channels.map(async (channel) => {
      if (channel.application !== 'conference') return { ...channel, memberId: null };
      const memberId = (await dump(connection, channel.legId))?.variable_conference_member_id;
      return { ...channel, memberId: memberId ?? null };
    }),
  );
}

/** Questions that are sent at once. */
const ASKED_AT_ONCE = 100;

/** Those of the legs that exist. The list of legs does not say so: it is written later than events are sent. */
export async function existingLegs(
  connection: SocketConnection,
  legIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (let start = 0; start < legIds.length; start += ASKED_AT_ONCE)
    await Promise.all(
      legIds.slice(start, start + ASKED_AT_ONCE).map(async (legId) => {
        if ((await ask(connection, `uuid_exists ${validArgument('id', legId)}`)).text === 'true') existing.add(legId);
      }),
    );
  return existing;
}

/** Cancels the scheduled hang-up of a leg that has arrived. */
export async function cancelRelease(connection: SocketConnection, legId: string): Promise<void> {
  await ask(connection, `sched_del ${validArgument('id', legId)}`);
}

/** A leg that belongs to no open call. */
type UnknownLeg =
  /** It belongs to a call that has ended, or may have none; to be hung up. */
  { readonly kind: 'stray' } | { readonly kind: 'arrived'; readonly arrival: Arrival } | { readonly kind: 'other' };

export async function readUnknownLeg(connection: SocketConnection, legId: string): Promise<UnknownLeg> {
  const headers = await dump(connection, legId);
  if (!headers) return { kind: 'other' };
  // The latter would take the place of another leg; the reader of events hangs such legs up as well.
  if (headers.variable_app_call !== undefined || headers.variable_sip_replaces_call_id !== undefined)
    return { kind: 'stray' };
  const arrival = readArrival(headers);
  return arrival ? { kind: 'arrived', arrival } : { kind: 'other' };
}

export async function readPhones(connection: SocketConnection): Promise<readonly RegisteredPhone[]> {
  return readRegistrations((await ask(connection, 'sofia xmlstatus profile internal reg')).text);
}

/** The channels of `show channels as json`, which leaves `rows` out when there are none. */
export function readChannels(text: string): readonly Omit<LegSnapshot, 'memberId'>[] {
  const { rows = [] } = JSON.parse(text) as { rows?: readonly Record<string, string>[] };
  return rows.map((row) => ({
    legId: row.uuid ?? '',
    isAnswered: ['ACTIVE', 'HELD', 'UNHELD'].includes(row.callstate ?? ''),
    application: row.application ?? '',
    applicationData: row.application_data ?? '',
  }));
}

/** A phone that is registered at a switch. */
interface RegisteredPhone {
  readonly user: string;
  readonly domain: string;
  readonly callId: string;
  /** Null when what the phone wrote cannot be dialled. */
  readonly contact: PhoneContact | null;
}

const FIELD = /^ {8}<([a-z-]+)>(.*)<\/\1>$/;

/**
 * The registrations of `sofia xmlstatus profile internal reg` and `… user`. The switch writes each field into a line of
 * its own but does not escape the Call-ID, which the phone chose: read as XML, it could contain further registrations.
 */
export function readRegistrations(text: string): readonly RegisteredPhone[] {
  const phones: RegisteredPhone[] = [];
  let fields: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    if (line === '    <registration>') fields = new Map();
    else if (line === '    </registration>') {
      phones.push(...readPhone(fields ?? new Map()));
      fields = undefined;
    } else {
      const [, name, value] = FIELD.exec(line) ?? [];
      if (fields && name !== undefined && value !== undefined && !fields.has(name)) fields.set(name, value);
    }
  }
  return phones;
}

function readPhone(fields: ReadonlyMap<string, string>): readonly RegisteredPhone[] {
  const field = (name: string) => unescaped(fields.get(name) ?? '');
  const [user = '', domain = ''] = field('user').split('@');
  const callId = fields.get('call-id') ?? '';
  if (user === '' || callId === '') return [];
  const contact = readPhoneContact({
    contact: field('contact'),
    status: field('status'),
    networkIp: field('network-ip'),
    networkPort: field('network-port'),
  });
  return [{ user, domain, callId, contact: contact ?? null }];
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (entity, word: string) => ENTITIES[word] ?? entity);
}
