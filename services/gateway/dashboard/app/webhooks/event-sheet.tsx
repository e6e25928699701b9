import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { RecordedEvent, Webhook } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Sheet } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { Copy, Send } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import styles from './event-list.module.css';
import { payloadText } from './event-text.ts';
import { readDeliveriesAgain, webhooksQuery } from './webhook-queries.ts';

/** The payload of an event, which can be copied and sent again. */
export function EventSheet({ event, onClose }: { event: RecordedEvent; onClose: () => void }): ReactNode {
  const { data: webhooks } = useQuery(webhooksQuery);
  const payload = payloadText(event);
  return (
    <Sheet title={event.event} onClose={onClose}>
      {webhooks?.length === 0 && <p>{t('Add a webhook to send this event to it.')}</p>}
      {webhooks !== undefined && webhooks.length > 0 && <SendToWebhook event={event} webhooks={webhooks} />}
      <div>
        <Button size="s" icon={Copy} onPress={() => copyText(payload)}>
          {t('Copy')}
        </Button>
      </div>
      <section aria-label={t('Payload')}>
        <pre className={styles['payload']}>{payload}</pre>
      </section>
    </Sheet>
  );
}

function SendToWebhook({ event, webhooks }: { event: RecordedEvent; webhooks: readonly Webhook[] }): ReactNode {
  const [webhookId, setWebhookId] = useState(webhooks[0]?.id ?? '');
  const send = useMutation({
    mutationFn: () =>
      ok(api.POST('/api/v1/events/{id}/deliveries', { ...at(event.id), body: { webhook_id: webhookId } })),
    onSuccess: () => {
      const name = webhooks.find(({ id }) => id === webhookId)?.name ?? '';
      announce(t('{event} is being sent to {name}.', { event: event.event, name }));
      return readDeliveriesAgain(webhookId);
    },
  });
  return (
    <>
      {send.error && <Failure error={send.error} />}
      <div className={styles['send']}>
        <SelectField label={t('Webhook')} value={webhookId} onChange={({ target }) => setWebhookId(target.value)}>
          {webhooks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button icon={Send} busy={send.isPending} onPress={() => send.mutate()}>
          {t('Send to webhook')}
        </Button>
      </div>
    </>
  );
}
