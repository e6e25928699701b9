import type { RetentionSettings as ProtoSettings } from '@parley/proto/directory/v1/retention_pb';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { decodeMessage, type Event, isEventType, nounOf } from '@parley/events';

/** The kinds of data with a retention time of their own. */
const KINDS = ['recordings', 'voicemails', 'transcripts', 'messages', 'calls'] as const;
export type RetentionKind = (typeof KINDS)[number];

/** Days per kind; null: forever. */
export type RetentionDays = Readonly<Record<RetentionKind, number | null>>;

/** Data that began at or before these times is removed; a kind that is kept forever has none. */
export type RetentionCutoffs = Readonly<Partial<Record<RetentionKind, Date>>>;

export const KEPT_FOREVER = retentionDays(() => null);

const DAY_MS = 24 * 3600 * 1000;

function retentionDays(of: (kind: RetentionKind) => number | null): RetentionDays {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<RetentionKind, number | null>;
}

export function daysFromProto(settings: ProtoSettings | undefined): RetentionDays {
  return retentionDays((kind) => settings?.[`${kind}Days`] ?? null);
}

/** Null where nothing has an end. */
export function cutoffsOf(days: RetentionDays, now: Date): RetentionCutoffs | null {
  const limited = KINDS.flatMap((kind) => {
    const kept = days[kind];
    return kept === null ? [] : [[kind, new Date(now.getTime() - kept * DAY_MS)] as const];
  });
  return limited.length > 0 ? Object.fromEntries(limited) : null;
}

export function isPastRetention(cutoffs: RetentionCutoffs, kind: RetentionKind, began: Date): boolean {
  const cutoff = cutoffs[kind];
  return cutoff !== undefined && began <= cutoff;
}

/** The fields of calls, voicemails, texts, comments and threads that tell when they began. */
interface Content {
  readonly call?: { readonly startedAt?: Timestamp };
  readonly voicemail?: { readonly createdAt?: Timestamp; readonly from?: string };
  readonly message?: { readonly createdAtMicros?: bigint };
  readonly comment?: { readonly createdAtMicros?: bigint };
}

/** In place of the number of a person who was erased, or whose data was not kept. */
export const NOBODY = 'erased';
const NOUNS = new Set(['call', 'emergency_call', 'voicemail', 'message', 'comment', 'thread']);

/**
 * True for an event about a call, a voicemail, a text or a comment (which is kept as long as texts) that is past its retention. An
 * event of a thread is about all of them; one that announces a removal mentions nobody and stays, because followers need it.
 */
export function isEventExpired(event: Event, cutoffs: RetentionCutoffs): boolean {
  const { type, data, occurredAt, audit } = event;
  if (audit !== undefined || !NOUNS.has(nounOf(type)) || !isEventType(type)) return false;
  if (nounOf(type) === 'thread')
    return isPastRetention(cutoffs, 'messages', occurredAt) && isPastRetention(cutoffs, 'calls', occurredAt);
  const { call, voicemail, message, comment } = decodeMessage(type, data) as Content;
  if (voicemail?.createdAt)
    return voicemail.from !== NOBODY && isPastRetention(cutoffs, 'voicemails', timestampDate(voicemail.createdAt));
  if (call?.startedAt) return isPastRetention(cutoffs, 'calls', timestampDate(call.startedAt));
  const written = message?.createdAtMicros ?? comment?.createdAtMicros;
  return written !== undefined && isPastRetention(cutoffs, 'messages', new Date(Number(written) / 1000));
}
