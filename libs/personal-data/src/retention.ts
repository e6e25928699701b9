import type { RetentionSettings as ProtoSettings } from '@parley/proto/directory/v1/retention_pb';

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
