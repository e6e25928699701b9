import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { KnowledgeEntry } from '../api/schema.d.ts';
import { t, tn, tOf } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { DeleteButton } from '../ui/delete-button.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { Page, Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ReadOnly } from '../ui/read-only.tsx';
import text from '../ui/text.module.css';
import { useDraft } from '../ui/use-draft.ts';
import { EntryFields } from './entry-fields.tsx';
import { type EntryForm, entryBody, entryForm } from './entry-form.ts';
import { EntryState } from './entry-state.tsx';
import styles from './knowledge.module.css';
import { cacheKnowledgeEntry, knowledgeChanged, knowledgeEntryQuery } from './knowledge-queries.ts';

export default function EntryPage({ id }: { id: string }): ReactNode {
  const entry = useQuery(knowledgeEntryQuery(id));
  return (
    <QueryState query={entry} titleOfFailure={t('Knowledge')}>
      {(data) => (
        <Page
          title={data.title}
          back={{ href: '~/dashboard/knowledge', label: t('Knowledge') }}
          actions={isAdmin && <DeleteEntry entry={data} />}
          toolbar={
            <>
              <EntryState entry={data} />
              <span className={text['meta']}>
                {tn(data.used_count, 'used once in the last 90 days', 'used {count} times in the last 90 days')}
              </span>
            </>
          }
          width="text"
        >
          {isAdmin ? <EditEntry entry={data} /> : <EntryTexts entry={data} />}
        </Page>
      )}
    </QueryState>
  );
}

function EditEntry({ entry }: { entry: KnowledgeEntry }): ReactNode {
  const draft = useDraft<EntryForm>(`knowledge entry ${entry.id}`, entryForm(entry));
  return (
    <DraftSection
      title={tOf('knowledge', 'Answer')}
      draft={draft}
      save={(form) => ok(api.PATCH('/api/v1/knowledge_entries/{id}', { ...at(entry.id), body: entryBody(form) }))}
      onSaved={cacheKnowledgeEntry}
    >
      {(errorsOf) => <EntryFields value={draft.value} onChange={draft.set} errorsOf={errorsOf} />}
    </DraftSection>
  );
}

/** For those who may not change it. */
function EntryTexts({ entry }: { entry: KnowledgeEntry }): ReactNode {
  return (
    <ReadOnly label={entry.title}>
      <Section title={tOf('knowledge', 'Answer')}>
        <p className={styles['text']}>{entry.answer}</p>
      </Section>
      {entry.questions.length > 0 && (
        <Section title={t('Other ways to ask')}>
          <ul>
            {entry.questions.map((question) => (
              <li key={question} dir="auto">
                {question}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {entry.text !== null && (
        <Section title={t('Text to send')}>
          <p className={styles['text']}>{entry.text}</p>
        </Section>
      )}
    </ReadOnly>
  );
}

function DeleteEntry({ entry: { id, title } }: { entry: KnowledgeEntry }): ReactNode {
  return (
    <DeleteButton
      name={title}
      confirm={t('Delete answer')}
      action={() => ok(api.DELETE('/api/v1/knowledge_entries/{id}', at(id)))}
      leadsTo="~/dashboard/knowledge"
      onDeleted={knowledgeChanged}
    >
      {t('Assistants do not say it any more. This cannot be undone.')}
    </DeleteButton>
  );
}
