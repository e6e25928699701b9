import { type Call, isServedByAssistant } from './call.ts';

/** The fields of a call that its record is made of. */
export const recordedFields = [
  'id',
  'startedAt',
  'answeredAt',
  'endedAt',
  'direction',
  'from',
  'to',
  'state',
  'number',
  'employees',
  'abandoned',
  'voicemailId',
  'durationSecs',
  'transfers',
  'recordings',
  'assistant',
] as const satisfies readonly (keyof Call)[];

export type RecordedCall = Pick<Call, (typeof recordedFields)[number]>;

export type CallOutcome = 'answered' | 'missed' | 'voicemail' | 'abandoned' | 'unanswered' | 'assisted';

/** Undefined while an unanswered call is in progress. */
export function outcomeOf(call: RecordedCall): CallOutcome | undefined {
  if (call.answeredAt) return 'answered';
  if (call.state !== 'ended') return undefined;
  if (call.direction === 'outbound') return 'unanswered';
  if (call.voicemailId !== null) return 'voicemail';
  if (isServedByAssistant(call)) return 'assisted';
  return call.abandoned ? 'abandoned' : 'missed';
}

/** The caller's wait for an employee in whole seconds, as reports measure it, also for abandoned calls. */
export function waitSecsOf(call: RecordedCall): number | undefined {
  if (call.direction === 'outbound') return undefined;
  const until = call.answeredAt ?? (outcomeOf(call) === 'abandoned' ? call.endedAt : null);
  return until ? Math.max(0, Math.floor((until.getTime() - call.startedAt.getTime()) / 1000)) : undefined;
}

export function completedTransfersOf({ transfers }: RecordedCall): number {
  return transfers.filter(({ state }) => state === 'completed').length;
}

/** The stored bytes of its conversation and its voicemail. */
export function storedBytesOf({ recordings }: RecordedCall): number {
  const stored = recordings.filter(({ status, isDeleted }) => status === 'stored' && !isDeleted);
  return stored.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
}
