import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { Choice } from '../ui/choice.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { SquarePen } from '../ui/icons/index.ts';
import { PageHeading } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Segments } from '../ui/segments.tsx';
import { Switch } from '../ui/switch.tsx';
import { useFoundTexts } from './found-texts.tsx';
import { THREAD_CHOICES, type ThreadChoice } from './thread-choice.ts';
import { ThreadList } from './thread-list.tsx';
import styles from './thread-pane.module.css';
import type { useThreads } from './thread-queries.ts';
import type { EditedFilters } from './use-thread-filters.ts';

/** Its code is loaded when it is opened. */
const NewMessageDialog = lazy(() => import('./new-message-dialog.tsx'));

/** The list of threads with its filters. It is the page unless a conversation is open, which then has the heading. */
export function ThreadPane(props: {
  threads: ReturnType<typeof useThreads>;
  filters: EditedFilters;
  openNumber: string | undefined;
}): ReactNode {
  const { threads, filters, openNumber } = props;
  const { query, unseen, businessNumberId, show } = filters.applied;
  const [isWriting, setIsWriting] = useState(false);
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const found = useFoundTexts(query, businessNumberId);
  return (
    <div className={styles['pane']}>
      <div className={styles['head']}>
        {openNumber === undefined ? (
          <PageHeading title={t('Inbox')} />
        ) : (
          <p className={styles['title']} aria-hidden="true">
            {t('Inbox')}
          </p>
        )}
        <span className={styles['new']}>
          <IconButton
            label={t('New message')}
            icon={SquarePen}
            aria-haspopup="dialog"
            onPress={() => setIsWriting(true)}
          />
        </span>
      </div>
      <div className={styles['search']}>
        <SearchField label={t('Search inbox')} value={filters.typed} onChange={filters.type} />
      </div>
      <Segments
        label={t('Which threads')}
        className={styles['choices']}
        options={THREAD_CHOICES.map((choice) => ({ value: choice, name: choiceName(choice) }))}
        value={show}
        onChange={(choice) => filters.set({ show: choice === 'all' ? '' : choice })}
      />
      <div className={styles['filters']}>
        <Choice
          label={t('Business number')}
          hideLabel
          look="quiet"
          value={businessNumberId}
          onChange={(id) => filters.set({ business_number_id: id })}
          options={[
            { value: '', label: t('All numbers') },
            ...numbers.map(({ id, name, number_formatted: formatted }) => ({
              value: id,
              label: name,
              detail: formatted,
            })),
          ]}
        />
        <Switch
          label={t('Unseen only')}
          checked={unseen}
          onChange={(checked) => filters.set({ unseen: checked ? 'true' : '' })}
        />
      </div>
      <ThreadList
        {...threads}
        openNumber={openNumber}
        isFiltered={query !== '' || unseen || businessNumberId !== '' || show !== 'all'}
        found={found}
        ownNumber={numbers[0]?.number}
      />
      <Suspense fallback={null}>{isWriting && <NewMessageDialog onClose={() => setIsWriting(false)} />}</Suspense>
    </div>
  );
}

function choiceName(choice: ThreadChoice): string {
  return {
    all: t('All'),
    mine: t('Mine'),
    open: t('Not done'),
    done: t('Done'),
  }[choice];
}
