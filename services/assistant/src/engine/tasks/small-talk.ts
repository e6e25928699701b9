import { type HeardWords, withoutFillers } from '../hearing/heard-words.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import { isUsedUp } from '../speaking/unrepeated.ts';
import { sayGoodbye } from './hand-over.ts';
import { askForMore, offer, offersOf } from './offers.ts';
import { sayPeople } from './transfer.ts';

/** Goodbye, thanks, a greeting, "one moment", "pardon?": true when it was one of them, and is answered. */
export function hearSmallTalk(draft: TurnDraft, heard: HeardWords): boolean {
  const { small, fillers } = vocabularyOf(draft.language);
  const { facts } = draft;
  const is = (kind: keyof typeof small) =>
    small[kind].test(heard.plain) || small[kind].test(withoutFillers(heard.plain, fillers));
  if (is('goodbye') || is('done')) sayGoodbye(draft);
  else if (is('wait')) draft.say('wait');
  else if (is('repeat')) repeatLast(draft);
  else if (is('thanks')) {
    draft.say('thanks');
    askForMore(draft);
  } else if (is('robot')) sayDisclosure(draft);
  else if (is('name')) sayName(draft);
  else if (is('abilities')) {
    draft.say('abilities', { company: facts.company.name });
    offer(draft, offersOf(draft));
  } else if (is('people')) sayPeople(draft);
  else if (is('hello')) {
    draft.say('hello');
    draft.say('how_can_i_help');
  } else return false;
  return true;
}

function sayDisclosure(draft: TurnDraft): void {
  if (!draft.sayText(draft.facts.assistant.disclosure)) sayName(draft);
}

function sayName(draft: TurnDraft): void {
  const { assistant, company } = draft.facts;
  draft.say('my_name', { name: assistant.name, company: company.name });
}

/** What was said last, once more; a sentence that was said twice is not. */
function repeatLast(draft: TurnDraft): void {
  const { last, said } = draft.state;
  const again = last.filter(({ text }) => !isUsedUp(text, said));
  for (const { text, sources, interruptible } of again) draft.sayText(text, { sources, interruptible });
  if (again.length > 0) return;
  draft.say('already_said');
  offer(draft, offersOf(draft));
}

/** The question that is still open, once more; false when there is none, or it was asked twice. */
export function repeatQuestion(draft: TurnDraft): boolean {
  const question =
    draft.state.question === null ? undefined : draft.state.last.findLast(({ text }) => text.trimEnd().endsWith('?'));
  return question !== undefined && draft.sayText(question.text, { sources: question.sources });
}
