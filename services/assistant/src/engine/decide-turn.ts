import { answerQuestion } from './answer-question.ts';
import { answerConfirmation, isConfirmation, openConfirmation, returnToConfirmation } from './confirmation.ts';
import type { Heard, Meaning, SessionFacts, Turn } from './engine.ts';
import { hearWords } from './hearing/heard-words.ts';
import { withoutSalutation } from './hearing/salutation.ts';
import { readYesNo } from './hearing/yes-no.ts';
import { hearDangerousWords, hearEvent } from './product-turns.ts';
import type { EngineState } from './state.ts';
import { handOver } from './tasks/hand-over.ts';
import { hearSmallTalk } from './tasks/small-talk.ts';
import { draftTurn, type TurnDraft } from './turn-draft.ts';
import { understand } from './understand.ts';
import { languageOf, vocabularyOf } from './words/vocabularies.ts';

/** So many turns in a row that are not understood, and the call is handed over. */
const MISUNDERSTOOD_MAX = 3;

/** The next turn of the embedded engine. */
export function decideTurn(state: EngineState, facts: SessionFacts, heard: Heard, meaning: Meaning): Turn<EngineState> {
  const draft = draftTurn(state, facts);
  if (state.ended) return draft.finish();
  if (heard.kind !== 'words') {
    hearEvent(draft, heard);
    if (heard.kind === 'unrecognised') countMisunderstood(draft);
    return draft.finish();
  }
  if (!hearDangerousWords(draft, heard.text)) hear(draft, meaning);
  countMisunderstood(draft);
  return draft.finish();
}

function hear(draft: TurnDraft, meaning: Meaning): void {
  const heard = hearWords(withoutSalutation(draft.heard ?? '', languageOf(draft.language)));
  const { question } = draft.state;
  const { small } = vocabularyOf(draft.language);
  // "That's it" agrees to what was repeated; otherwise it is a goodbye.
  const isAgreement = isConfirmation(question) && small.done.test(heard.plain);
  const isYesOrNo = question !== null && readYesNo(heard, draft.language)?.rest.plain === '';
  if (!isAgreement && !isYesOrNo && hearSmallTalk(draft, heard)) return;
  const { actions } = draft.state;
  draft.change({ unconfirmed: openConfirmation(draft.state) });
  const left = answerQuestion(draft, heard);
  if (left) understand(draft, left, meaning);
  if (left || !isConfirmation(question)) returnToConfirmation(draft, actions);
  else draft.change({ unconfirmed: null });
}

function countMisunderstood(draft: TurnDraft): void {
  const misunderstood = draft.understood ? 0 : draft.state.misunderstood + 1;
  draft.change({ misunderstood });
  if (misunderstood < MISUNDERSTOOD_MAX || draft.state.ended) return;
  draft.unsay();
  handOver(draft, 'not_understood');
}

/** The turn where it is the product's, whichever engine is used; null: the engine decides. */
export function decideByProduct(state: EngineState, facts: SessionFacts, heard: Heard): Turn<EngineState> | null {
  const draft = draftTurn(state, facts);
  if (state.ended) return draft.finish();
  if (heard.kind !== 'words') {
    hearEvent(draft, heard);
    if (heard.kind === 'unrecognised') countMisunderstood(draft);
    return draft.finish();
  }
  if (hearDangerousWords(draft, heard.text)) return draft.finish();
  return hearConfirmation(draft) ? draft.finish() : null;
}

/** A yes to what the product asked, or a no without a word of what is wrong. */
function hearConfirmation(draft: TurnDraft): boolean {
  const { question } = draft.state;
  if (!isConfirmation(question)) return false;
  const heard = hearWords(draft.heard ?? '');
  const answer = readYesNo(heard, draft.language);
  if (!answer || (answer.answer === 'no' && answer.rest.plain !== '')) return false;
  answerConfirmation(draft, question, heard, answer);
  return true;
}
