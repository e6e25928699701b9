import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { Webhook } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { Fields } from '../ui/form.tsx';
import { KeyRound, Send } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';
import styles from './webhook-page.module.css';
import { cacheWebhook, readDeliveriesAgain, webhookQuery, webhooksQuery } from './webhook-queries.ts';

export function WebhookPage({ id }: { id: string }): ReactNode {
  const webhook = useQuery(webhookQuery(id));
  return (
    <QueryState query={webhook} titleOfFailure={t('Webhook')}>
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
      announce(t('A test event is being sent.'));
      return readDeliveriesAgain(id);
    },
  });
  const pause = useMutation({
    mutationFn: (next: boolean) => ok(api.PATCH('/api/v1/webhooks/{id}', { ...at(id), body: { active: next } })),
    onSuccess: (saved) => {
      cacheWebhook(saved);
      announce(saved.active ? t('The webhook is active again.') : t('The webhook is paused.'));
    },
  });
  const failure = test.error ?? pause.error;
  return (
    <Page
      title={name}
      back={{ href: '~/dashboard/webhooks', label: t('Webhooks') }}
      actions={
        <div className={styles['actions']}>
          <DeleteWebhook id={id} name={name} />
          <Button busy={pause.isPending} onPress={() => pause.mutate(!active)}>
            {active ? t('Pause') : t('Resume')}
          </Button>
          <Button icon={Send} busy={test.isPending} onPress={() => test.mutate()}>
            {t('Send test')}
          </Button>
        </div>
      }
      toolbar={
        <>
          <Badge tone={active ? 'good' : 'neutral'}>{active ? t('Active') : t('Paused')}</Badge>
          <span className={styles['state']}>
            {active ? url : t('Events are kept in the list of deliveries, and only tests are sent until you resume.')}
          </span>
        </>
      }
      aside={
        <div className={styles['settings']}>
          <DraftSection
            title={t('Subscription')}
            draft={draft}
            save={(form) =>
              ok(
                api.PATCH('/api/v1/webhooks/{id}', {
                  ...at(id),
                  body: { name: form.name, url: form.url.trim(), events: [...form.events] },
                }),
              )
            }
            onSaved={cacheWebhook}
          >
            {(errorsOf) => (
              <Fields>
                <WebhookFields value={draft.value} onChange={draft.set} errorsOf={errorsOf} />
              </Fields>
            )}
          </DraftSection>
          <SecretSection id={id} />
        </div>
      }
    >
      {failure && <Failure error={failure} />}
      <Deliveries id={id} />
    </Page>
  );
}

function SecretSection({ id }: { id: string }): ReactNode {
  const [secret, setSecret] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/webhooks/{id}/rotate_secret', at(id))),
    onSuccess: (webhook) => {
      setIsAsking(false);
      setSecret(webhook.secret);
      cacheWebhook(webhook);
    },
    // The secret must not stay in the cache of mutations.
    gcTime: 0,
  });
  return (
    <section aria-label={t('Signing secret')}>
      <h2>{t('Signing secret')}</h2>
      <p className={styles['hint']}>
        {t('After a rotation, requests are signed with the previous secret as well for 24 hours.')}
      </p>
      <Button icon={KeyRound} onPress={() => setIsAsking(true)}>
        {t('Rotate secret')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Rotate the secret?')}
          confirm={t('Rotate secret')}
          action={rotate}
          onClose={() => setIsAsking(false)}
        >
          <p>
            {t(
              'Your receiver needs the new secret within 24 hours: then the present one is no longer used for signing.',
            )}
          </p>
        </ConfirmDialog>
      )}
      {secret !== undefined && (
        <SecretDialog title={t('The new secret')} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </section>
  );
}

function DeleteWebhook({ id, name }: { id: string; name: string }): ReactNode {
  return (
    <DeleteButton
      name={name}
      confirm={t('Delete webhook')}
      action={() => ok(api.DELETE('/api/v1/webhooks/{id}', at(id)))}
      leadsTo="~/dashboard/webhooks"
      onDeleted={() => void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })}
    >
      {t('Nothing is sent any more, and the list of deliveries is deleted. This cannot be undone.')}
    </DeleteButton>
  );
}
