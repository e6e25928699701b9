import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Fields } from '../ui/form.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';
import { cacheWebhook } from './webhook-queries.ts';

const NO_WEBHOOK: WebhookForm = { name: '', url: '', events: [] };

export function NewWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const draft = useDraft('new webhook', NO_WEBHOOK);
  const [created, setCreated] = useState<{ id: string; name: string; secret: string }>();
  const sending = useSubmit(
    ({ name, url, events }: WebhookForm) =>
      ok(api.POST('/api/v1/webhooks', { body: { name, url: url.trim(), events: [...events], active: true } })),
    (webhook) => {
      draft.discard();
      cacheWebhook(webhook);
      setCreated({ id: webhook.id, name: webhook.name, secret: webhook.secret });
    },
  );
  if (created) {
    return (
      <SecretDialog title={t('{name} was created', { name: created.name })} secret={created.secret} onClose={onClose}>
        <ButtonLink variant="ghost" href={`/${created.id}`}>
          {t('Open webhook')}
        </ButtonLink>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={t('New webhook')}
      size="l"
      onClose={onClose}
      sending={{ ...sending, unsaved: draft }}
      onSubmit={() => sending.submit(draft.value)}
      submitLabel={t('Create webhook')}
    >
      <Fields>
        <WebhookFields value={draft.value} onChange={draft.set} errorsOf={sending.errorsOf} />
      </Fields>
    </FormDialog>
  );
}
