import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { Webhook } from '../api/schema.d.ts';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretField } from './secret-field.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';
import { at, keepWebhook, readDeliveriesAgain, webhookQuery, webhooksQuery } from './webhook-queries.ts';

export function WebhookPage({ id }: { id: string }): ReactNode {
  const webhook = useQuery(webhookQuery(id));
  return (
    <QueryState query={webhook} what="webhook" titleOfFailure="Webhook">
      {(data) => <WebhookDetails webhook={data} />}
    </QueryState>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }): ReactNode {
  const { id, name, url, events, active } = webhook;
  const draft = useDraft<WebhookForm>(`webhook ${id}`, { name, url, events });
  const test = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/webhooks/{id}/test', at(id))),
    onSuccess: () => {
      announce('A test event is being sent.');
      return readDeliveriesAgain(id);
    },
  });
  const pause = useMutation({
    mutationFn: (next: boolean) => ok(api.PATCH('/api/v1/webhooks/{id}', { ...at(id), body: { active: next } })),
    onSuccess: (saved) => {
      keepWebhook(saved);
      announce(saved.active ? 'The webhook is active again.' : 'The webhook is paused.');
    },
  });
  const failure = test.error ?? pause.error;
  return (
    <Page
      title={name}
      actions={
        <>
          <button type="button" aria-disabled={test.isPending} onClick={() => test.isPending || test.mutate()}>
            Send test
          </button>
          <button
            type="button"
            className="quiet"
            aria-disabled={pause.isPending}
            onClick={() => pause.isPending || pause.mutate(!active)}
          >
            {active ? 'Pause' : 'Resume'}
          </button>
          <DeleteWebhook id={id} name={name} />
        </>
      }
    >
      <p>
        {active
          ? 'Active.'
          : 'Paused: events are kept in the list of deliveries, and only tests are sent until you resume.'}
      </p>
      {failure && <Failure error={failure} />}
      <DraftSection
        title="Subscription"
        draft={draft}
        save={(form) =>
          ok(
            api.PATCH('/api/v1/webhooks/{id}', {
              ...at(id),
              body: { name: form.name, url: form.url.trim(), events: [...form.events] },
            }),
          )
        }
        onSaved={keepWebhook}
      >
        {(errorsOf) => <WebhookFields value={draft.value} onChange={draft.set} errorsOf={errorsOf} />}
      </DraftSection>
      <SecretSection id={id} />
      <Deliveries id={id} />
    </Page>
  );
}

function SecretSection({ id }: { id: string }): ReactNode {
  const [secret, setSecret] = useState<string>();
  const rotate = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/webhooks/{id}/rotate_secret', at(id))),
    onSuccess: (webhook) => {
      setSecret(webhook.secret);
      keepWebhook(webhook);
    },
    // The secret must not stay in the cache of mutations.
    gcTime: 0,
  });
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">Signing secret</h2>
      {rotate.error && <Failure error={rotate.error} />}
      {secret !== undefined && <SecretField key={secret} secret={secret} />}
      <p className="hint">After a rotation, requests are signed with the previous secret as well for 24 hours.</p>
      <button
        type="button"
        className="quiet"
        aria-disabled={rotate.isPending}
        onClick={() => rotate.isPending || rotate.mutate()}
      >
        Rotate secret
      </button>
    </section>
  );
}

function DeleteWebhook({ id, name }: { id: string; name: string }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/webhooks/{id}', at(id))),
    onSuccess: () => {
      navigate('~/dashboard/webhooks');
      announce(`${name} was deleted.`);
      void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => setIsAsking(true)}>
        Delete
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete webhook"
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        >
          {remove.error && <Failure error={remove.error} />}
          <p>Nothing is sent any more, and the list of deliveries is deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
