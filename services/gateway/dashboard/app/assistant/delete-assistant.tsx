import { lazy, type ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { Assistant } from '../api/schema.d.ts';
import { assistantsQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { DeleteButton } from '../ui/delete-button.tsx';

const InUseDialog = lazy(async () => ({ default: (await import('../numbers/in-use-dialog.tsx')).InUseDialog }));

export function DeleteAssistant({ assistant: { id, name } }: { assistant: Assistant }): ReactNode {
  return (
    <DeleteButton
      name={name}
      confirm={t('Delete assistant')}
      action={() => ok(api.DELETE('/api/v1/assistants/{id}', at(id)))}
      leadsTo="~/dashboard/assistant"
      onDeleted={() => void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })}
      refusal={(error, onClose) =>
        error instanceof ApiError &&
        error.code === 'assistant_in_use' && (
          <InUseDialog title={t('{name} cannot be deleted yet', { name })} error={error} onClose={onClose}>
            {t('{name} answers calls to these business numbers. Choose another routing there, then try again.', {
              name,
            })}
          </InUseDialog>
        )
      }
    >
      {t('Conversations that it had stay with their calls. This cannot be undone.')}
    </DeleteButton>
  );
}
