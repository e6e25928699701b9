import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, ok } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Fields } from '../ui/form.tsx';
import { History, Plus, Webhook as WebhookIcon } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Cell, PageTable, Row, Table } from '../ui/table.tsx';
import { Name } from '../ui/text.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { eventsText } from './event-types.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookFields, type WebhookForm } from './webhook-fields.tsx';
import styles from './webhook-list.module.css';
import { cacheWebhook, webhooksQuery } from './webhook-queries.ts';

export function WebhookList(): ReactNode {
  const webhooks = useQuery(webhooksQuery);
  const [isCreating, setIsCreating] = useState(false);
  const columns = [{ label: t('Name') }, { label: t('URL') }, { label: t('Events') }, { label: t('Status') }];
  return (
    <Page
      title={t('Webhooks')}
      actions={
        <>
          <ButtonLink href="/events" icon={History}>
            {t('Events')}
          </ButtonLink>
          <Button variant="primary" icon={Plus} onPress={() => setIsCreating(true)}>
            {t('New webhook')}
          </Button>
        </>
      }
    >
      {isCreating && <NewWebhook onClose={() => setIsCreating(false)} />}
      <QueryState
        query={webhooks}
        empty={
          <EmptyState
            icon={WebhookIcon}
            title={t('No webhooks yet.')}
            action={<Button onPress={() => setIsCreating(true)}>{t('Add the first webhook')}</Button>}
          >
            {t('A webhook sends events, such as the end of a call, to a server of yours.')}
          </EmptyState>
        }
      >
        {(list) => (
          <PageTable className={styles['table']}>
            <Table label={t('Webhooks')} columns={columns}>
              {list.map(({ id, name, url, events, active }) => (
                <Row key={id} isLink>
                  <Cell isName>
                    <Link href={`/${id}`}>
                      <bdi>{name}</bdi>
                    </Link>
                  </Cell>
                  <Cell>
                    <Name>{url}</Name>
                  </Cell>
                  <Cell>{eventsText(events)}</Cell>
                  <Cell>
                    <Badge tone={active ? 'good' : 'neutral'}>{active ? t('Active') : t('Paused')}</Badge>
                  </Cell>
                </Row>
              ))}
            </Table>
          </PageTable>
        )}
      </QueryState>
    </Page>
  );
}

const NO_WEBHOOK: WebhookForm = { name: '', url: '', events: [] };

function NewWebhook({ onClose }: { onClose: () => void }): ReactNode {
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
