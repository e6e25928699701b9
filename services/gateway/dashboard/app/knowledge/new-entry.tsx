import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { EntryFields } from './entry-fields.tsx';
import { type EntryForm, entryBody, NO_ENTRY } from './entry-form.ts';
import { cacheKnowledgeEntry, unansweredQuestionsChanged } from './knowledge-queries.ts';

export default function NewEntry(props: {
  /** What was asked, which the entry answers; with the id of the unanswered question. */
  question?: { readonly text: string; readonly id?: string } | undefined;
  onClose: () => void;
}): ReactNode {
  const { question, onClose } = props;
  const initial = question ? { ...NO_ENTRY, questions: question.text } : NO_ENTRY;
  const draft = useDraft<EntryForm>(`new knowledge entry ${question?.id ?? question?.text ?? ''}`, initial);
  const sending = useSubmit(
    (form: EntryForm) =>
      ok(
        api.POST('/api/v1/knowledge_entries', {
          body: { ...entryBody(form), ...(question?.id !== undefined && { unanswered_question_id: question.id }) },
        }),
      ),
    (entry) => {
      draft.discard();
      cacheKnowledgeEntry(entry);
      if (question?.id !== undefined) void unansweredQuestionsChanged();
      announce(t('{name} was created', { name: entry.title }));
      onClose();
    },
  );
  return (
    <FormDialog
      title={question ? t('Write an answer') : t('Add answer')}
      size="l"
      onClose={onClose}
      sending={{ ...sending, unsaved: draft }}
      onSubmit={() => sending.submit(draft.value)}
      submitLabel={t('Save answer')}
    >
      <EntryFields isNew value={draft.value} onChange={draft.set} errorsOf={sending.errorsOf} />
    </FormDialog>
  );
}
