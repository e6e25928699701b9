import type { Call, ListedVoicemail } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { assistantOutcomeText } from './assistant-text.ts';

/** The states of a call in the order in which they come. */
export const CALL_STATES: readonly Call['state'][] = [
  'initiated',
  'playing_audio',
  'queued',
  'transferring',
  'answered',
  'bridged',
  'recording',
  'ended',
];

export function stateText(state: Call['state']): string {
  const texts: Readonly<Record<string, string>> = {
    initiated: t('Starting'),
    queued: t('Waiting'),
    answered: t('Answered'),
    playing_audio: t('Hears a message'),
    transferring: t('Connecting'),
    recording: t('Leaves a voicemail'),
    bridged: t('In a call'),
    ended: t('Ended'),
  };
  return texts[state] ?? t('In progress');
}

export function isInProgress({ state }: Pick<Call, 'state'>): boolean {
  return state !== 'ended';
}

/** The number of the person outside the company; undefined when it is withheld. */
export function remoteNumber({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string | undefined {
  const number = direction === 'inbound' ? from : to;
  return number === 'anonymous' || number === '' ? undefined : number;
}

export function directionText({ direction }: Pick<Call, 'direction'>): string {
  return direction === 'inbound' ? t('Incoming') : t('Outgoing');
}

export type Outcome = 'live' | 'voicemail' | 'answered' | 'assisted' | 'missed' | 'outgoing' | 'unanswered';

type Ended = Pick<Call, 'state' | 'direction' | 'answered_at'> & Partial<Pick<Call, 'assistant'>>;

/** What an assistant did for the caller: such a call is not missed. */
const ASSISTED: readonly (string | null | undefined)[] = ['resolved', 'message_taken', 'callback_requested'];

/** True while an assistant is in the call. */
export function isWithAssistant({ state, assistant }: Pick<Call, 'state' | 'assistant'>): boolean {
  return state !== 'ended' && assistant !== null && assistant.state !== 'left';
}

export function outcomeOf(call: Ended, leftVoicemail = false): Outcome {
  if (isInProgress(call)) return 'live';
  if (leftVoicemail) return 'voicemail';
  if (call.answered_at === null && ASSISTED.includes(call.assistant?.outcome)) return 'assisted';
  if (call.direction === 'inbound') return call.answered_at === null ? 'missed' : 'answered';
  return call.answered_at === null ? 'unanswered' : 'outgoing';
}

/** The outcome of a call, or its current state, in words. */
export function outcomeText(call: Ended, leftVoicemail = false): string {
  const texts: Readonly<Record<Outcome, string>> = {
    live: liveText(call),
    voicemail: t('Voicemail'),
    answered: t('Answered'),
    assisted: assistantOutcomeText(call.assistant?.outcome ?? null) ?? '',
    missed: t('Missed'),
    outgoing: t('Outgoing'),
    unanswered: t('Not answered'),
  };
  return texts[outcomeOf(call, leftVoicemail)];
}

function liveText({ state, assistant }: Ended): string {
  if (!assistant || assistant.state === 'left') return stateText(state);
  const { name } = assistant;
  return assistant.state === 'talking' ? t('Talks with {name}', { name }) : stateText('transferring');
}

/** A voicemail is left while the call goes on, and at most this long after it began. */
const VOICEMAIL_MS_MAX = 60 * 60_000;

/** The calls that ended with a voicemail: of each voicemail the latest call of that person to that number before it. */
export function callsWithVoicemail(
  calls: readonly Pick<Call, 'id' | 'from' | 'direction' | 'main_number_id' | 'started_at' | 'answered_at'>[],
  voicemails: readonly Pick<ListedVoicemail, 'from' | 'main_number_id' | 'created_at'>[],
): ReadonlySet<string> {
  const inbound = calls.filter((call) => call.direction === 'inbound' && call.answered_at === null);
  const found = voicemails.map(({ from, main_number_id: number, created_at: at }) => {
    const before = inbound
      .map((call) => ({ call, age: Date.parse(at) - Date.parse(call.started_at ?? '') }))
      .filter(({ call, age }) => call.from === from && call.main_number_id === number && age >= 0)
      .filter(({ age }) => age < VOICEMAIL_MS_MAX)
      .toSorted((one, other) => one.age - other.age);
    return before[0]?.call.id;
  });
  return new Set(found.filter((id) => id !== undefined));
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

/** True when a call will change by itself: it is in progress, or it is being transcribed. */
export function isChanging(
  call: Pick<Call, 'state' | 'answered_at' | 'duration' | 'transcription_segments'>,
  now: number,
): boolean {
  if (isInProgress(call)) return true;
  if (call.answered_at === null || call.transcription_segments !== null) return false;
  const endedAt = Date.parse(call.answered_at) + (call.duration ?? 0) * 1000;
  return now - endedAt < TRANSCRIPTION_MS_MAX;
}
