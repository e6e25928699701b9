import type { KnowledgeEntry } from '../api/schema.d.ts';
import { linesIn } from '../ui/lines-in.ts';

/** The edited values of an entry. */
export interface EntryForm {
  readonly title: string;
  readonly answer: string;
  /** One in a line. */
  readonly questions: string;
  readonly text: string;
  readonly numberIds: readonly string[];
  readonly isActive: boolean;
  /** YYYY-MM-DD; empty: always. */
  readonly validUntil: string;
}

export const NO_ENTRY: EntryForm = {
  title: '',
  answer: '',
  questions: '',
  text: '',
  numberIds: [],
  isActive: true,
  validUntil: '',
};

export function entryForm(entry: KnowledgeEntry): EntryForm {
  return {
    title: entry.title,
    answer: entry.answer,
    questions: entry.questions.join('\n'),
    text: entry.text ?? '',
    numberIds: entry.business_number_ids,
    isActive: entry.active,
    validUntil: entry.valid_until ?? '',
  };
}

export function entryBody(form: EntryForm) {
  return {
    title: form.title,
    answer: form.answer,
    questions: linesIn(form.questions),
    text: form.text.trim() === '' ? null : form.text,
    business_number_ids: [...form.numberIds],
    active: form.isActive,
    valid_until: form.validUntil || null,
  };
}

/** Whether assistants use an entry on a day; `today` as YYYY-MM-DD. */
export function entryState(
  { active, valid_until: until }: Pick<KnowledgeEntry, 'active' | 'valid_until'>,
  today: string,
): 'used' | 'off' | 'expired' {
  if (!active) return 'off';
  return until !== null && until < today ? 'expired' : 'used';
}
