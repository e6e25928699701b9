import { api, at, ok } from '../api/client.ts';
import type { Assistant, paths } from '../api/schema.d.ts';
import { type Draft, useDraft } from '../ui/use-draft.ts';
import { changedFields } from './changed-fields.ts';

export type AssistantBody = NonNullable<
  paths['/api/v1/assistants/{id}']['patch']['requestBody']
>['content']['application/json'];

interface SectionDraft<Value> {
  readonly draft: Draft<Value>;
  readonly save: (edited: Value) => Promise<Assistant>;
}

/**
 * The edits of a section. Only what was changed is saved: a disclosure that was never edited follows the language, and what a coworker has
 * changed meanwhile stays.
 */
export function useSectionDraft<Value extends object>(
  { id }: Assistant,
  section: string,
  saved: Value,
  bodyOf: (changed: Partial<Value>) => AssistantBody,
): SectionDraft<Value> {
  const draft = useDraft(`assistant ${id} ${section}`, saved);
  return {
    draft,
    save: (edited) =>
      ok(api.PATCH('/api/v1/assistants/{id}', { ...at(id), body: bodyOf(changedFields(edited, saved)) })),
  };
}
