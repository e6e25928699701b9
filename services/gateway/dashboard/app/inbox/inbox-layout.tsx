import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { classes } from '../ui/classes.ts';
import { MessageSquare } from '../ui/icons/index.ts';
import { NotFound } from '../ui/not-found.tsx';
import styles from './inbox-layout.module.css';
import { ThreadPane } from './thread-pane.tsx';
import { useThreadFilters } from './use-thread-filters.ts';
import { type ThreadFilters, useThreads } from './thread-queries.ts';

/** The threads at the left, which stay while one reads, and a conversation. Where there is room for one of them only, the chosen one. */
export function InboxLayout(props: { phoneNumber: string | undefined; children?: ReactNode }): ReactNode {
  const filters = useThreadFilters();
  const threads = useThreads(filters.applied);
  // The business number of somebody else.
  if (threads.query.error instanceof ApiError && threads.query.error.isNotFound) return <NotFound />;
  const isOpen = props.phoneNumber !== undefined;
  return (
    <div className={classes(styles['inbox'], isOpen && styles['reading'])}>
      <div className={styles['threads']}>
        <ThreadPane threads={threads} filters={filters} openNumber={props.phoneNumber} />
      </div>
      <div className={styles['conversation']}>
        {props.children ?? (
          <div className={styles['nothing']}>
            {isEmpty(threads.query.data?.items, filters.applied) ? (
              <FirstConversation />
            ) : (
              <EmptyState icon={MessageSquare} title={t('No conversation is open')}>
                {t('Choose somebody at the left, or write a new message.')}
              </EmptyState>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** True when there is no thread at all. */
function isEmpty(items: readonly unknown[] | undefined, filters: ThreadFilters): boolean {
  const { query, unseen, businessNumberId, show } = filters;
  return items?.length === 0 && query === '' && !unseen && businessNumberId === '' && show === 'all';
}

function FirstConversation(): ReactNode {
  return (
    <EmptyState
      icon={MessageSquare}
      title={t('Conversations open here')}
      action={
        session.sandboxUrl !== null && (
          <ButtonLink href="~/dashboard/sandbox">{t('Send a text from the sandbox')}</ButtonLink>
        )
      }
    >
      {t('Calls, voicemails and texts with one person are one conversation, which the whole team sees.')}
    </EmptyState>
  );
}
