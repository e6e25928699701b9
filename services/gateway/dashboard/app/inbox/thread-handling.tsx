import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { InboxThread } from '../api/schema.d.ts';
import { employeesQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Check, RotateCcw } from '../ui/icons/index.ts';
import { useShortcut } from '../ui/shortcuts.ts';
import styles from './thread-handling.module.css';
import { showThread } from './thread-queries.ts';

type Change = Partial<Pick<InboxThread, 'state'> & { assignee_id: string | null }>;

/** Several numbers may contain the requested one. */
const FOUND_MAX = '20';

/** Renders nothing for a number without activity, which has no thread. */
export function ThreadHandling({ phoneNumber }: { phoneNumber: string }): ReactNode {
  const { data: thread, isPending: isUnknown } = useThread(phoneNumber);
  const { data: employees = [] } = useQuery(employeesQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Change) =>
      ok(api.PATCH('/api/v1/inbox/{phone_number}', { params: { path: { phone_number: phoneNumber } }, body })),
    onSuccess: (changed) => {
      showThread(changed);
      void queryClient.invalidateQueries({ queryKey: queryKeys.inbox });
    },
    onError: (error) => announce(error.message),
  });
  const isDone = thread?.state === 'done';
  function toggle(): void {
    if (isPending) return;
    if (isDone) mutate({ state: 'open' });
    else
      mutate({ state: 'done' }, { onSuccess: () => announce(t('Marked as done.'), () => mutate({ state: 'open' })) });
  }
  useShortcut('e', thread && toggle);
  // Its room is kept: what is read below does not move when it appears.
  if (isUnknown) return <div className={styles['handling']} />;
  if (!thread) return null;
  const { assignee } = thread;
  const isFormer = assignee !== null && !employees.some(({ id }) => id === assignee.id);
  return (
    <div className={styles['handling']}>
      <Choice
        label={t('Assigned to')}
        hideLabel
        look="quiet"
        value={assignee?.id ?? ''}
        onChange={(id) => mutate({ assignee_id: id === '' ? null : id })}
        isDisabled={isPending}
        options={[
          { value: '', label: t('Assigned to nobody') },
          ...(isFormer ? [{ value: assignee.id, label: assignee.name }] : []),
          ...employees
            .filter(({ active }) => active)
            .map(({ id, name }) => ({
              value: id,
              label: id === session.employeeId ? t('{name} (you)', { name }) : name,
            })),
        ]}
      />
      <span className={styles['state']} role="status">
        {isDone && <Badge tone="good">{t('Done')}</Badge>}
      </span>
      <Button size="s" icon={isDone ? RotateCcw : Check} onPress={toggle}>
        {isDone ? t('Open again') : t('Mark as done')}
      </Button>
    </div>
  );
}

/** The thread of a number, which need not be in the part of a list that is loaded. */
function useThread(phoneNumber: string) {
  return useQuery({
    queryKey: [...queryKeys.inbox, 'one', phoneNumber],
    queryFn: async ({ signal }) => {
      const query = { query: phoneNumber, limit: FOUND_MAX };
      const { threads } = await ok(api.GET('/api/v1/inbox', { params: { query }, signal }));
      return { items: threads.filter((thread) => thread.phone_number === phoneNumber), nextCursor: null };
    },
    select: ({ items }) => items[0],
  });
}
