import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, ok } from '../api/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { SecretField } from './secret-field.tsx';
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
      <Dialog title={`${created.name} was created`} onClose={onClose}>
        <SecretField secret={created.secret} />
        <div className="actions">
          <Link className="button" href={`/${created.id}`}>
            Open webhook
          </Link>
          <button type="button" className="quiet" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  }
  function cancel(): void {
    discard();
    onClose();
  }
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) submit(value);
        }}
      >
        <FormFailure error={error} form={form} />
        <WebhookFields value={value} onChange={set} errorsOf={errorsOf} />
        <div className="actions">
          <button aria-disabled={pending}>Create webhook</button>
          <button type="button" className="quiet" onClick={cancel}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
