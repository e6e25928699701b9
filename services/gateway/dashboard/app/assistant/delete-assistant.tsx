import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { Assistant } from '../api/schema.d.ts';
import { assistantsQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { InUseDialog } from '../numbers/in-use-dialog.tsx';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';

export default function DeleteDialog(props: { assistant: Assistant; onClose: () => void }): ReactNode {
  const { id, name } = props.assistant;
  const [, navigate] = useLocation();
  const deletion = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/assistants/{id}', at(id))),
    onSuccess: () => {
      navigate('~/dashboard/assistant');
      announce(t('{name} was deleted.', { name }));
      void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey });
    },
  });
  const { error } = deletion;
  if (error instanceof ApiError && error.code === 'assistant_in_use')
    return (
      <InUseDialog title={t('{name} cannot be deleted yet', { name })} error={error} onClose={props.onClose}>
        {t('{name} answers calls to these business numbers. Choose another routing there, then try again.', { name })}
      </InUseDialog>
    );
  return (
    <ConfirmDialog
      title={t('Delete {name}?', { name })}
      confirm={t('Delete assistant')}
      action={deletion}
      onClose={props.onClose}
    >
      <p>{t('Conversations that it had stay with their calls. This cannot be undone.')}</p>
    </ConfirmDialog>
  );
}
