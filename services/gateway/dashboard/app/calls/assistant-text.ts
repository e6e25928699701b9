import type {
  AssistantSessionItem,
  AssistantSessionPage,
  CallTranscriptSegment,
  InboxThread,
} from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

export type SessionTurn = Extract<AssistantSessionItem, { type: 'turn' }>;
export type AssistantTurn = Extract<SessionTurn, { speaker: 'assistant' }>;
type SessionAction = Extract<AssistantSessionItem, { type: 'action' }>;
type SessionEvent = Extract<AssistantSessionItem, { type: 'event' }>;

/** What became of the conversation with an assistant; undefined while it goes on. */
export function assistantOutcomeText(outcome: string | null, reason: string | null = null): string | undefined {
  const texts: Readonly<Record<string, string>> = {
    transferred: t('Connected with an employee'),
    taken_over: t('Taken over by an employee'),
    resolved: t('Resolved by the assistant'),
    message_taken: t('Message taken'),
    callback_requested: t('Wants a callback'),
    abandoned: t('Hung up on the assistant'),
    failed: t('The call was lost'),
    fallback: t('Passed on by the assistant'),
  };
  const text = texts[outcome ?? ''];
  const why = outcome === 'fallback' ? fallbackReasonText(reason) : undefined;
  return text !== undefined && why !== undefined ? `${text}: ${why}` : text;
}

/** What an assistant left for the team to do, in words; undefined of any other item. */
export function leftByAssistant(latest: InboxThread['latest_item']): string | undefined {
  const { assistant_outcome: outcome } = latest;
  return outcome === 'message_taken' || outcome === 'callback_requested' ? assistantOutcomeText(outcome) : undefined;
}

/** Why the call went on without the assistant. */
export function fallbackReasonText(reason: string | null): string | undefined {
  const texts: Readonly<Record<string, string>> = {
    requested: t('the caller asked for it'),
    key: t('the caller pressed 0'),
    not_understood: t('it did not understand the caller'),
    silence: t('the caller said nothing'),
    emergency: t('an emergency'),
    limit_duration: t('the conversation took too long'),
    limit_minutes: t('the minutes of this month are used up'),
    limit_caller: t('the caller had too many conversations today'),
    capacity: t('too many callers at once'),
    inactive: t('it is switched off'),
    disabled: t('assistants are not allowed'),
    speech_unavailable: t('speech did not work'),
    failed: t('a technical failure'),
  };
  return texts[reason ?? ''];
}

/** What the assistant did, and what came of it. */
export function actionText({ action, target, result }: Pick<SessionAction, 'action' | 'target' | 'result'>): string {
  const name = target?.name ?? t('somebody');
  const texts: Readonly<Record<string, string>> = {
    'transfer_call ': t('Rings {name}', { name }),
    'transfer_call connected': t('Connected with {name}', { name }),
    'transfer_call no_answer': t('{name} did not answer', { name }),
    'transfer_call declined': t('{name} declined', { name }),
    'transfer_call unavailable': t('{name} was not available', { name }),
    'transfer_call failed': t('The connection with {name} failed', { name }),
    'transfer_call not_allowed': t('A connection with {name} was not allowed', { name }),
    'take_message ': t('Takes a message'),
    'take_message taken': t('Took a message'),
    'request_callback ': t('Arranges a callback'),
    'request_callback queued': t('Arranged a callback'),
    'request_callback taken': t('Noted that the caller wants to be called back'),
    'request_callback not_allowed': t('A callback to this number was not allowed'),
    'send_text ': t('Sends a text'),
    'send_text sent': t('Sent a text'),
    'send_text not_possible': t('Could not send a text to this number'),
    'send_text failed': t('A text failed'),
    'hand_over ': t('Passes the call on'),
    'hand_over handed_over': t('Passed the call on'),
    'end_call ': t('Ends the call'),
    'end_call ended': t('Ended the call'),
  };
  return texts[`${action} ${result ?? ''}`] ?? texts[`${action} failed`] ?? t('Something did not work');
}

/** What happened, in words for employees; undefined for what the turns show already. */
export function eventText({ event, detail }: Pick<SessionEvent, 'event' | 'detail'>): string | undefined {
  const texts: Readonly<Record<string, string>> = {
    silence: t('The caller said nothing'),
    endpoint_failed: t('The language model did not answer'),
    engine_changed:
      detail === 'embedded' ? t('Goes on without the language model') : t('Goes on with the language model'),
    reply_replaced: t('An answer of the language model was not said'),
    masked: t('Digits were hidden'),
    takeover_requested: t('{name} wants to take over', { name: detail ?? t('Somebody') }),
    resumed: t('Came back after an interruption'),
    limit_warning: t('Said that the time is almost up'),
    fallback: assistantOutcomeText('fallback', detail) ?? '',
  };
  return texts[event];
}

/** What was said in a turn: what was heard, and what was not because the caller began to speak. Of words that were not kept nothing. */
export function textsOf(turn: SessionTurn): readonly string[] {
  if (turn.speaker === 'caller') return [turn.text ?? ''];
  const { heard, unheard } = heardOf(turn);
  return [heard, unheard];
}

/** What of a turn of the assistant was heard, and what was not because the caller began to speak. */
function heardOf({ text, spoken, interrupted }: Pick<AssistantTurn, 'text' | 'spoken' | 'interrupted'>): {
  readonly heard: string;
  readonly unheard: string;
} {
  const whole = text ?? spoken ?? '';
  const heard = spoken ?? '';
  if (!interrupted) return { heard: whole, unheard: '' };
  return whole.startsWith(heard) ? { heard, unheard: whole.slice(heard.length) } : { heard, unheard: whole };
}

/**
 * When each item was, in seconds since the conversation began, by its sequence. The turns in `startMs` are at their place in the
 * recording, which begins at another moment; the items after them follow by its time.
 */
export function secondsOf(
  { started_at: startedAt, items }: Pick<AssistantSessionPage, 'started_at' | 'items'>,
  startMs: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> {
  const seconds = new Map<number, number>();
  let shiftMs = 0;
  for (const item of items) {
    const sinceMs = Date.parse('at' in item ? item.at : item.started_at) - Date.parse(startedAt);
    const recordedMs = startMs.get(item.sequence);
    if (recordedMs !== undefined) shiftMs = recordedMs - sinceMs;
    seconds.set(item.sequence, Math.max(0, sinceMs + shiftMs) / 1000);
  }
  return seconds;
}

/**
 * Where the turns of a conversation are in a recording, in milliseconds by their place in it, and what of the transcript comes after
 * them: the turns are its first segments, without those of which nothing was heard.
 */
export function inTranscript(
  items: readonly AssistantSessionItem[],
  segments: readonly Pick<CallTranscriptSegment, 'text' | 'start_ms'>[],
): { readonly startMs: ReadonlyMap<number, number>; readonly turns: number } {
  const startMs = new Map<number, number>();
  let turns = 0;
  for (const item of items) {
    const segment = segments[turns];
    if (item.type !== 'turn' || segment?.text !== (item.speaker === 'assistant' ? item.spoken : item.text)) continue;
    startMs.set(item.sequence, segment.start_ms);
    turns += 1;
  }
  return { startMs, turns };
}
