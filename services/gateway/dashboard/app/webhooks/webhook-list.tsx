import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Plus, Webhook as WebhookIcon } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { Name } from '../ui/text.tsx';
import { eventsText } from './event-types.ts';
import { NewWebhook } from './new-webhook.tsx';
import styles from './webhook-list.module.css';
import { webhooksQuery } from './webhook-queries.ts';

export function WebhookList(): ReactNode {
  const webhooks = useQuery(webhooksQuery);
  const [isCreating, setIsCreating] = useState(false);
  const columns = [{ label: t('Name') }, { label: t('URL') }, { label: t('Events') }, { label: t('Status') }];
  return (
    <Page
      title={t('Webhooks')}
      actions={
        <Button variant="primary" icon={Plus} onPress={() => setIsCreating(true)}>
          {t('New webhook')}
        </Button>
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
          <div className={styles['table']}>
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
          </div>
        )}
      </QueryState>
    </Page>
  );
}
