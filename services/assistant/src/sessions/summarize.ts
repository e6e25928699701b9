import type { NumberedItem } from './item-store.ts';
import type { Session } from './session.ts';
import type { SessionContent, TakenMessage } from './session-content.ts';
import type { ActionItem, TurnItem } from './session-item.ts';
import { type SummaryWords, summaryWordsOf } from './summary-words.ts';

/** Words of a caller are quoted up to this length. */
const QUOTE_LENGTH_MAX = 160;
/** "Hello" says nothing about the matter. */
const MATTER_WORDS_MIN = 3;

/** Who called, what about, what was done and what is left to do. */
export function summarize(
  { from, outcome, language }: Pick<Session, 'from' | 'outcome' | 'language'>,
  { callerName, message }: Pick<SessionContent, 'callerName' | 'message'>,
  items: readonly NumberedItem[],
): string {
  const words = summaryWordsOf(language);
  const turns = items.flatMap(({ item }) => (item.type === 'turn' ? [item] : []));
  const actions = items.flatMap(({ item }) => (item.type === 'action' ? [item] : []));
  const matter = matterOf(turns);
  return [
    words.called(callerName ?? saidName(message, from) ?? (from === 'anonymous' ? words.somebody : from)),
    matter && words.about(quoted(matter)),
    ...done(words, turns, actions, message),
    outcome === 'fallback' && !message ? words.passedOn : words.left(leftToDo(words, outcome, message)),
  ]
    .filter(Boolean)
    .join(' ');
}

/** A name that a caller gave, beside the number that called: anybody can say one. */
function saidName(message: TakenMessage | null, from: string): string | undefined {
  const name = message?.callerName ?? undefined;
  return name === undefined || from === 'anonymous' ? name : `${name} (${from})`;
}

function matterOf(turns: readonly TurnItem[]): string | undefined {
  const said = turns.flatMap(({ speaker, text }) => (speaker === 'caller' && text !== null ? [text] : []));
  return said.find((text) => text.split(/\s+/).length >= MATTER_WORDS_MIN) ?? said[0];
}

function done(
  words: SummaryWords,
  turns: readonly TurnItem[],
  actions: readonly ActionItem[],
  message: TakenMessage | null,
): string[] {
  const answered = turns.filter(({ speaker, sources }) => speaker === 'assistant' && sources.length > 0).length;
  return [
    ...(answered > 0 ? [words.answered(answered)] : []),
    ...actions.flatMap(({ action, result, target }) => {
      if (action === 'send_text' && result === 'sent') return [words.textSent];
      if (action !== 'transfer_call' || result === null) return [];
      const name = target?.name ?? words.somebody;
      return [result === 'connected' ? words.connected(name) : words.notReached(name)];
    }),
    ...(message && !message.callbackRequested ? [words.message(quoted(message.text), message.for?.name)] : []),
  ];
}

function leftToDo(words: SummaryWords, outcome: Session['outcome'], message: TakenMessage | null): string | undefined {
  if (message?.callbackRequested || outcome === 'callback_requested')
    return words.callBack(message?.callbackNumber ?? undefined, message?.wanted ?? undefined);
  if (message) return words.answerMessage(message.callbackNumber ?? undefined);
  return outcome === 'abandoned' || outcome === 'failed' ? words.matterIsOpen : undefined;
}

function quoted(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > QUOTE_LENGTH_MAX ? `${trimmed.slice(0, QUOTE_LENGTH_MAX - 1).trimEnd()}…` : trimmed;
}
