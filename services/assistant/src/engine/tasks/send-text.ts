import type { KnowledgeEntryFacts } from '../engine.ts';
import { lastDigits, spokenList } from '../speaking/spoken-figures.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { sentencesOf } from '../words/vocabularies.ts';
import { askForMore, offer, offersOf } from './offers.ts';

const TEXTS_MAX = 2;
const LISTED_MAX = 3;

/** Whether a text may be sent to the caller now, as far as it is known. */
export function maySendText({ facts, state }: TurnDraft): boolean {
  const { assistant, caller } = facts;
  return assistant.actions.sendText && caller.number !== null && caller.canReceiveText && state.textsSent < TEXTS_MAX;
}

/** After an answer: its text, once, and not before what was asked about something else. */
export function offerText(draft: TurnDraft, entry: KnowledgeEntryFacts): void {
  const { textsOffered, unconfirmed } = draft.state;
  if (unconfirmed || entry.text === null || !maySendText(draft) || textsOffered.includes(entry.id)) return;
  draft.change({ textsOffered: [...textsOffered, entry.id] });
  draft.say('offer_text');
  draft.ask({ kind: 'confirm_text', entryId: entry.id }, 'yes_no');
}

/** The caller asked for a text; `entries`: those with a text that fit, best first. */
export function askForText(draft: TurnDraft, entries: readonly KnowledgeEntryFacts[]): void {
  const { caller, assistant } = draft.facts;
  const [first, ...others] = entries;
  if (!assistant.actions.sendText || !first) {
    draft.say('no_texts');
    return offer(draft, offersOf(draft));
  }
  if (!maySendText(draft) || caller.number === null) {
    draft.say(draft.state.textsSent >= TEXTS_MAX ? 'no_texts' : 'text_not_possible');
    return askForMore(draft);
  }
  if (others.length === 0) return confirmText(draft, first);
  const listed = entries.slice(0, LISTED_MAX);
  draft.say('which_text', {
    titles: spokenList(
      listed.map(({ title }) => title),
      sentencesOf(draft.language).parts.or,
    ),
  });
  draft.ask({ kind: 'which_text', entryIds: listed.map(({ id }) => id) }, 'choice');
}

export function confirmText(draft: TurnDraft, entry: KnowledgeEntryFacts): void {
  draft.say('ask_text', { title: entry.title, digits: lastDigits(draft.facts.caller.number ?? '') });
  draft.ask({ kind: 'confirm_text', entryId: entry.id }, 'yes_no');
}

/** A yes or no to the text of an entry. */
export function answerText(draft: TurnDraft, entryId: string, answer: 'yes' | 'no'): void {
  const entry = draft.entry(entryId);
  if (answer === 'no') return askForMore(draft);
  // The entry may have been changed, and the caller's consent withdrawn, since the question.
  if (!entry || entry.text === null || !maySendText(draft)) {
    draft.say('no_texts');
    return askForMore(draft);
  }
  draft.ask(null, 'anything');
  draft.perform({ name: 'send_text', arguments: { knowledge_entry_id: entryId } });
}
