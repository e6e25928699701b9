import { z } from 'zod';
import { EVENT_TYPES_MAX } from '../routes/events/event-endpoints.ts';

/** Rails Action Cable's wire protocol, `actioncable-v1-json`: its messages and their parsing. */
export const ACTION_CABLE_PROTOCOL = 'actioncable-v1-json';

/**
 * `CallsChannel` has calls and texts for every client, `TeamChannel` changes of employees and contacts for the dashboard,
 * `EventsChannel` the events that webhooks get.
 */
const CHANNELS = ['CallsChannel', 'TeamChannel', 'EventsChannel'] as const;

export type Channel = (typeof CHANNELS)[number];

/** Longer than any of our identifiers (30 types of events and a cursor); the identifier that a client sends is sent back to it. */
const IDENTIFIER_LENGTH_MAX = 2048;

/** Why a connection is ended; `reconnect`: whether the client should reconnect automatically. */
export type DisconnectReason =
  | 'unauthorized'
  | 'invalid_request'
  | 'server_restart'
  | 'too_many_connections'
  | 'too_slow';

export const welcome = JSON.stringify({ type: 'welcome' });

export function ping(now: Date): string {
  return JSON.stringify({ type: 'ping', message: Math.floor(now.getTime() / 1000) });
}

export function disconnect(reason: DisconnectReason, reconnect: boolean): string {
  return JSON.stringify({ type: 'disconnect', reason, reconnect });
}

/** `content` is JSON already. */
export function message(identifier: string, content: string): string {
  return `{"identifier":${JSON.stringify(identifier)},"message":${content}}`;
}

/** A command of a client. */
export type CableCommand =
  | { readonly command: 'subscribe' | 'unsubscribe'; readonly identifier: string }
  /** A command we have nothing to do for, such as `message`: the channel only sends. */
  | { readonly command: 'ignored' };

/** Undefined when it is no command of the protocol. */
export function readCommand(text: string): CableCommand | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { command, identifier } = parsed as { command?: unknown; identifier?: unknown };
  if (typeof command !== 'string') return undefined;
  if (command !== 'subscribe' && command !== 'unsubscribe') return { command: 'ignored' };
  if (typeof identifier !== 'string' || identifier.length > IDENTIFIER_LENGTH_MAX) return undefined;
  return { command, identifier };
}

/** The channel that an identifier names; undefined for anything else, which is rejected. */
export function channelOf(identifier: string): Channel | undefined {
  try {
    const parsed: unknown = JSON.parse(identifier);
    const named = typeof parsed === 'object' && parsed !== null && (parsed as { channel?: unknown }).channel;
    return CHANNELS.find((channel) => channel === named);
  } catch {
    return undefined;
  }
}

/** How long ago a client has read what it shows, if its identifier says so: `{"channel":"TeamChannel","read_ms_ago":1200}`. */
export function readMsAgoOf(identifier: string): number | undefined {
  const { read_ms_ago: readMsAgo } = JSON.parse(identifier) as { read_ms_ago?: unknown };
  return typeof readMsAgo === 'number' && readMsAgo >= 0 ? readMsAgo : undefined;
}

/** Tells such a client whether something may have changed since then. */
export function sinceRead(identifier: string, changed: boolean): string {
  return message(identifier, JSON.stringify({ type: 'since_read', changed }));
}

const eventsIdentifier = z.object({
  after: z.string().optional(),
  types: z.array(z.string()).min(1).max(EVENT_TYPES_MAX).default([]),
});

/** What an identifier of `EventsChannel` asks for; undefined when it cannot be read. */
export function eventsWantedBy(identifier: string): z.output<typeof eventsIdentifier> | undefined {
  return eventsIdentifier.safeParse(JSON.parse(identifier)).data;
}

export function confirmation(identifier: string): string {
  return JSON.stringify({ identifier, type: 'confirm_subscription' });
}

export function rejection(identifier: string): string {
  return JSON.stringify({ identifier, type: 'reject_subscription' });
}
