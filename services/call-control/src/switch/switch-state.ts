import type { SocketConnection } from './socket-client.ts';
import { safe } from './command-lines.ts';
import { readArrival } from './read-switch-event.ts';
import { readChannels, readRegistrations, type RegisteredPhone } from './read-switch-state.ts';
import type { Arrival, LegSnapshot } from './switch-event.ts';

const ask = async (connection: SocketConnection, command: string) => (await connection.send(`api ${command}`)).text;

/** Identifies one life of the switch's process: another one means that all its calls are gone. */
export function readCoreUuid(connection: SocketConnection): Promise<string> {
  return ask(connection, 'eval ${core_uuid}');
}

/** Every leg on the switch. */
export async function readLegs(connection: SocketConnection): Promise<readonly LegSnapshot[]> {
  const channels = readChannels(await ask(connection, 'show channels as json'));
  return Promise.all(
    channels.map(async (channel) => {
      if (channel.application !== 'conference') return { ...channel, memberId: null };
      const memberId = await ask(connection, `uuid_getvar ${safe(channel.legId)} conference_member_id`);
      return { ...channel, memberId: /^\d+$/.test(memberId) ? memberId : null };
    }),
  );
}

/** A leg that belongs to no open call of ours. */
export type UnknownLeg =
  /** It belongs to a call that has ended. */
  { readonly kind: 'stray' } | { readonly kind: 'arrived'; readonly arrival: Arrival } | { readonly kind: 'other' };

export async function readUnknownLeg(connection: SocketConnection, legId: string): Promise<UnknownLeg> {
  const callId = await ask(connection, `uuid_getvar ${safe(legId)} app_call`);
  if (callId.startsWith('-ERR')) return { kind: 'other' };
  if (callId !== '_undef_') return { kind: 'stray' };
  const dump = await connection.send(`api uuid_dump ${safe(legId)} json`);
  const arrival = dump.ok ? readArrival(JSON.parse(dump.text) as Record<string, string>) : null;
  return arrival ? { kind: 'arrived', arrival } : { kind: 'other' };
}

export async function readPhones(connection: SocketConnection): Promise<readonly RegisteredPhone[]> {
  return readRegistrations(await ask(connection, 'sofia xmlstatus profile internal reg'));
}
