import type { EngineInUse } from '../engine/answer.ts';
import type { Person } from './session-update.ts';

/** Where a sentence was taken from. */
export interface Source {
  readonly type: 'knowledge_entry' | 'business_hours' | 'company' | 'model';
  readonly id?: string;
}

/** Something that was said. Texts are null once they are not kept any more. */
export interface TurnItem {
  readonly type: 'turn';
  readonly speaker: 'caller' | 'assistant';
  readonly text: string | null;
  /** What of it was heard; null for the caller. */
  readonly spoken: string | null;
  readonly interrupted: boolean;
  /** Null for the caller. */
  readonly engine: EngineInUse | null;
  readonly sources: readonly Source[];
  readonly responseMs: number | null;
  readonly startedAt: Date;
  /** Null while it goes on. */
  readonly endedAt: Date | null;
}

/** Something that the assistant did for the caller. */
export interface ActionItem {
  readonly type: 'action';
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly target: Person | null;
  /** Null while it goes on. */
  readonly result: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export interface KeyItem {
  readonly type: 'key';
  readonly key: string;
  readonly at: Date;
}

export type SessionEventName =
  | 'disclosed'
  | 'greeting'
  | 'silence'
  | 'filler'
  | 'endpoint_failed'
  | 'engine_changed'
  | 'reply_replaced'
  | 'masked'
  | 'takeover_requested'
  | 'resumed'
  | 'limit_warning'
  | 'fallback';

export interface EventItem {
  readonly type: 'event';
  readonly event: SessionEventName;
  readonly detail: string | null;
  readonly at: Date;
}

/** A part of a session, without its place in it. */
export type SessionItem = TurnItem | ActionItem | KeyItem | EventItem;

/** The item without what was said, once a transcript is not kept. Actions stay. */
export function withoutTexts(item: SessionItem): SessionItem {
  return item.type === 'turn' ? { ...item, text: null, spoken: null } : item;
}

/** The item without anything of the caller, once it is kept no longer: what was done stays. */
export function withoutContent(item: SessionItem): SessionItem {
  if (item.type === 'action') return { ...item, arguments: {} };
  return item.type === 'key' ? { ...item, key: '•' } : withoutTexts(item);
}

const DATES = ['startedAt', 'endedAt', 'at'];

/** An item as it is encrypted. */
export function itemFromJson(json: string): SessionItem {
  return JSON.parse(json, (key, value: unknown) =>
    DATES.includes(key) && typeof value === 'string' ? new Date(value) : value,
  ) as SessionItem;
}

/** What a caller said. */
export const callerTurn = (text: string, startedAt: Date, endedAt: Date): TurnItem => ({
  type: 'turn',
  speaker: 'caller',
  text,
  spoken: null,
  interrupted: false,
  engine: null,
  sources: [],
  responseMs: null,
  startedAt,
  endedAt,
});
