import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { KnowledgeEntry, UnansweredQuestion } from '../api/schema.d.ts';
import { number } from '../i18n/format.ts';
import { t, tOf } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { BookOpen, Plus, SearchX } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import text from '../ui/text.module.css';
import { useFilters, useTextFilter } from '../ui/use-filters.ts';
import { EntryState } from './entry-state.tsx';
import styles from './knowledge.module.css';
import { useKnowledge } from './knowledge-queries.ts';
import { UnansweredQuestions } from './unanswered-questions.tsx';

/** Its code is loaded by those who write. */
const NewEntry = lazy(() => import('./new-entry.tsx'));

export function KnowledgeList(): ReactNode {
  const filters = useFilters();
  const [typed, setTyped] = useTextFilter(filters, 'query');
  const search = filters.get('query');
  const knowledge = useKnowledge(search);
  const [writing, setWriting] = useState<{ question?: UnansweredQuestion }>();
  const add = () => setWriting({});
  return (
    <Page
      title={t('Knowledge')}
      actions={
        <>
          <div className={styles['search']}>
            <SearchField label={t('Search knowledge')} value={typed} onChange={setTyped} />
          </div>
          {isAdmin && (
            <Button variant="primary" icon={Plus} onPress={add}>
              {t('Add answer')}
            </Button>
          )}
        </>
      }
      aside={<UnansweredQuestions onAnswer={(question) => setWriting({ question })} />}
    >
      <QueryState query={knowledge}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.knowledge_entries);
          return entries.length > 0 ? <EntryTable entries={entries} /> : <NoEntries search={search} onAdd={add} />;
        }}
      </QueryState>
      <LoadMore {...knowledge} />
      {writing && (
        <Suspense fallback={null}>
          <NewEntry key={writing.question?.id} question={writing.question} onClose={() => setWriting(undefined)} />
        </Suspense>
      )}
    </Page>
  );
}

function NoEntries({ search, onAdd }: { search: string; onAdd: () => void }): ReactNode {
  return (
    <div role="status">
      {search ? (
        <EmptyState icon={SearchX} title={t('Nothing found.')}>
          {t('No answer has “{search}” in its title, its text or the ways to ask.', { search })}
        </EmptyState>
      ) : (
        <EmptyState
          icon={BookOpen}
          title={t('Nothing is written down yet.')}
          action={isAdmin && <Button onPress={onAdd}>{t('Add the first answer')}</Button>}
        >
          {t(
            'Assistants say what is written here. Business hours, the company’s address and who can be reached they know already.',
          )}
        </EmptyState>
      )}
    </div>
  );
}

function EntryTable({ entries }: { entries: readonly KnowledgeEntry[] }): ReactNode {
  const columns = [
    { label: t('Title') },
    { label: tOf('knowledge', 'Answer') },
    { label: t('Used in 90 days'), align: 'end' as const },
    { label: t('Status') },
  ];
  return (
    <PageTable className={styles['table']}>
      <Table label={t('Knowledge')} columns={columns}>
        {entries.map((entry) => (
          <Row key={entry.id} isLink>
            <Cell isName>
              <Link href={`/${entry.id}`}>
                <bdi className={text['line']}>{entry.title}</bdi>
              </Link>
            </Cell>
            <Cell>
              <bdi className={text['line']}>{entry.answer}</bdi>
            </Cell>
            <Cell align="end" label={t('Used in 90 days')}>
              {number(entry.used_count)}
            </Cell>
            <Cell>
              <EntryState entry={entry} />
            </Cell>
          </Row>
        ))}
      </Table>
    </PageTable>
  );
}
