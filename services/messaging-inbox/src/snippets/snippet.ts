import { type Decision, decided, invalid, refused } from '@parley/errors';

/** A text to reuse, shared by the company. */
export interface Snippet {
  readonly id: string;
  readonly companyId: string;
  readonly title: string;
  readonly text: string;
  readonly position: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders snippets by creation, also within a millisecond. */
  readonly createdOrder: number;
  /** Unique within the company and below the cap on snippets, which makes the cap exact. */
  readonly slot: number;
}

export type SnippetFields = Pick<Snippet, 'title' | 'text' | 'position'>;

const TITLE_LENGTH_MAX = 128;
const TEXT_LENGTH_MAX = 10_000;

export function createSnippet(
  identity: Pick<Snippet, 'id' | 'companyId' | 'createdOrder' | 'slot'>,
  fields: SnippetFields,
  now: Date,
): Decision<Snippet> {
  const problems = problemsOf(fields);
  if (problems) return refused(invalid(problems));
  return decided({ ...identity, ...fields, createdAt: now, updatedAt: now });
}

/** Absent fields stay as they are. */
export function updateSnippet(current: Snippet, change: Partial<SnippetFields>, now: Date): Decision<Snippet> {
  const { title, text, position } = { ...current, ...change };
  const problems = problemsOf({ title, text, position });
  if (problems) return refused(invalid(problems));
  if (title === current.title && text === current.text && position === current.position) return decided(current);
  return decided({ ...current, title, text, position, updatedAt: now });
}

/** Every wrong field at once. */
export function problemsOf({ title, text, position }: SnippetFields): Record<string, string[]> | undefined {
  const problems: Record<string, string[]> = {
    ...textProblem('title', title, TITLE_LENGTH_MAX),
    ...textProblem('text', text, TEXT_LENGTH_MAX),
    ...(position < 0 && { position: ['must not be negative'] }),
  };
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function textProblem(field: string, value: string, lengthMax: number): Record<string, string[]> {
  if (value.trim() === '') return { [field]: ['must not be blank'] };
  if ([...value].length > lengthMax) return { [field]: [`is too long (maximum is ${lengthMax} characters)`] };
  return {};
}
