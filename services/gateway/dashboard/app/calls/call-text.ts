import type { Call } from '../api/schema.d.ts';

const STATES: Readonly<Record<Call['state'], string>> = {
  initiated: 'Starting',
  queued: 'Waiting for an employee',
  answered: 'Answered',
  playing_audio: 'Hears a message',
  transferring: 'Connecting',
  recording: 'Being recorded',
  bridged: 'In conversation',
  ended: 'Ended',
};

/** The states of a call for the choice of a filter. */
export const CALL_STATES = Object.entries(STATES) as readonly (readonly [Call['state'], string])[];

export function isInProgress({ state }: Pick<Call, 'state'>): boolean {
  return state !== 'ended';
}

/** The number of the person outside the company; undefined when it is withheld. */
export function remoteNumber({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string | undefined {
  const number = direction === 'inbound' ? from : to;
  return number === 'anonymous' || number === '' ? undefined : number;
}

export function directionText({ direction }: Pick<Call, 'direction'>): string {
  return direction === 'inbound' ? 'Incoming' : 'Outgoing';
}

/** What came of a call, or what is happening in it. */
export function outcomeText(call: Pick<Call, 'state' | 'direction' | 'answered_at'>): string {
  if (isInProgress(call)) return STATES[call.state] ?? 'In progress';
  if (call.answered_at !== null) return 'Answered';
  return call.direction === 'inbound' ? 'Missed' : 'Not answered';
}

/** Employees of a call, the one who made it first. */
export function employeeNames({ employees, initiated_by: caller }: Pick<Call, 'employees' | 'initiated_by'>): string[] {
  const all = caller ? [caller, ...employees] : employees;
  return [...new Map(all.map(({ id, name }) => [id, name])).values()];
}

/**
 * The recording as an address of the host that this page is from, which serves it whatever name the API has for itself; undefined
 * for anything that is no address.
 */
export function recordingPath(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url, 'https://host')) return undefined;
  const { protocol, pathname, search } = new URL(url, 'https://host');
  return protocol === 'https:' || protocol === 'http:' ? pathname + search : undefined;
}

/** After the end, until a transcription can be expected to have failed. */
const TRANSCRIPTION_MS_MAX = 10 * 60_000;

/** Whether a call will change without anybody doing anything: it is in progress, or it is being transcribed. */
export function isChanging(
  call: Pick<Call, 'state' | 'answered_at' | 'duration' | 'transcription_segments'>,
  now: number,
): boolean {
  if (isInProgress(call)) return true;
  if (call.answered_at === null || call.transcription_segments !== null) return false;
  const endedAt = Date.parse(call.answered_at) + (call.duration ?? 0) * 1000;
  return now - endedAt < TRANSCRIPTION_MS_MAX;
}
