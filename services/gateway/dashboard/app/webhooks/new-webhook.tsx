import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Fields } from '../ui/form.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';
import { keepWebhook } from './webhook-queries.ts';

const NO_WEBHOOK: WebhookForm = { name: '', url: '', events: [] };

export function NewWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const { value, set, discard } = useDraft('new webhook', NO_WEBHOOK);
  const [created, setCreated] = useState<{ id: string; name: string; secret: string }>();
  const { submit, pending, errorsOf, error, form } = useSubmit(
    ({ name, url, events }: WebhookForm) =>
      ok(api.POST('/api/v1/webhooks', { body: { name, url: url.trim(), events: [...events], active: true } })),
    (webhook) => {
      discard();
      keepWebhook(webhook);
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
  function cancel(): void {
    discard();
    onClose();
  }
  return (
    <Dialog title={t('New webhook')} onClose={onClose} size="l">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) submit(value);
        }}
      >
        <FormFailure error={error} form={form} />
        <Fields>
          <WebhookFields value={value} onChange={set} errorsOf={errorsOf} />
        </Fields>
        <DialogActions>
          <Button onPress={cancel}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={pending}>
            {t('Create webhook')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
