import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { WebhookDelivery } from '../api/schema.d.ts';
import { t, tn } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RefreshCw, Send } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Section } from '../ui/page.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { Cell, Row, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import styles from './deliveries.module.css';
import { attemptText, deliveryStatusText } from './delivery-text.ts';
import { deliveriesQuery, readDeliveriesAgain } from './webhook-queries.ts';

/** The deliveries of a webhook, newest first; the receiver's responses in a sheet. */
export function Deliveries({ id }: { id: string }): ReactNode {
  const deliveries = useInfiniteQuery(deliveriesQuery(id));
  const [openId, setOpenId] = useState<string>();
  const all = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const open = all.find((delivery) => delivery.id === openId);
  const columns = [
    { label: t('Event') },
    { label: t('Status') },
    { label: t('Last answer') },
    { label: t('Time'), align: 'end' as const },
    { label: t('Actions'), hideLabel: true },
  ];
  return (
    <Section title={t('Deliveries')} description={t('Kept for 30 days.')} actions={<SendFailedAgain webhookId={id} />}>
      <QueryState query={deliveries}>
        {() =>
          all.length === 0 ? (
            <EmptyState icon={Send} title={t('Nothing was sent yet.')}>
              {t('Send a test to see what your server answers.')}
            </EmptyState>
          ) : (
            <div className={styles['table']}>
              <Table label={t('Deliveries')} columns={columns}>
                {all.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    webhookId={id}
                    delivery={delivery}
                    onOpen={() => setOpenId(delivery.id)}
                  />
                ))}
              </Table>
            </div>
          )
        }
      </QueryState>
      <LoadMore {...deliveries} />
      {open && (
        <Sheet title={open.event} onClose={() => setOpenId(undefined)}>
          <Attempts delivery={open} />
          <SendAgain webhookId={id} delivery={open} />
        </Sheet>
      )}
    </Section>
  );
}

/** Everything that is kept. */
const SINCE = new Date(0).toISOString();

function SendFailedAgain({ webhookId }: { webhookId: string }): ReactNode {
  const again = useMutation({
    mutationFn: () =>
      ok(api.POST('/api/v1/webhooks/{id}/deliveries/retry', { ...at(webhookId), body: { since: SINCE } })),
    onSuccess: ({ count }) => {
      announce(
        count === 0
          ? t('No delivery has failed.')
          : tn(count, '1 delivery is being sent again.', '{count} deliveries are being sent again.'),
      );
      return readDeliveriesAgain(webhookId);
    },
  });
  return (
    <>
      {again.error && <Failure error={again.error} />}
      <Button size="s" icon={RefreshCw} busy={again.isPending} onPress={() => again.mutate()}>
        {t('Send failed again')}
      </Button>
    </>
  );
}

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  delivered: 'good',
  failed: 'bad',
  held: 'neutral',
  pending: 'warn',
};

function DeliveryRow(props: { webhookId: string; delivery: WebhookDelivery; onOpen: () => void }): ReactNode {
  const { delivery } = props;
  const { event, created_at: createdAt, next_attempt_at: nextAttemptAt, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <Row>
      <Cell isName>
        <button type="button" className={styles['event']} onClick={props.onOpen} aria-haspopup="dialog">
          {event}
        </button>
      </Cell>
      <Cell>
        <Badge tone={TONES[delivery.status]}>{deliveryStatusText(delivery)}</Badge>
        {delivery.status === 'pending' && nextAttemptAt && attempts.length > 0 && (
          <span className={styles['quiet']}>
            {' '}
            <Time at={nextAttemptAt} withTime />
          </span>
        )}
      </Cell>
      <Cell>
        {last && attemptText(last)}
        {attempts.length > 1 && (
          <span className={styles['quiet']}> · {tn(attempts.length, '1 attempt', '{count} attempts')}</span>
        )}
      </Cell>
      <Cell align="end">
        <Time at={createdAt} withTime />
      </Cell>
      <Cell align="end">
        <SendAgain webhookId={props.webhookId} delivery={delivery} />
      </Cell>
    </Row>
  );
}

function SendAgain({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }): ReactNode {
  const { id, event } = delivery;
  const again = useMutation({
    mutationFn: () =>
      ok(
        api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
          params: { path: { id: webhookId, delivery_id: id } },
        }),
      ),
    onSuccess: () => {
      announce(t('{event} is being sent again.', { event }));
      return readDeliveriesAgain(webhookId);
    },
  });
  return (
    <>
      {again.error && <Failure error={again.error} />}
      <Button size="s" variant="ghost" icon={RefreshCw} busy={again.isPending} onPress={() => again.mutate()}>
        {t('Send again')}
      </Button>
    </>
  );
}

function Attempts({ delivery }: { delivery: WebhookDelivery }): ReactNode {
  if (delivery.attempts.length === 0) return <p>{deliveryStatusText(delivery)}</p>;
  return (
    <ol aria-label={t('Attempts')} className={styles['attempts']}>
      {delivery.attempts.map((attempt, index) => (
        // Attempts have no id and are only ever added.
        <li key={index}>
          <p className={styles['attempt']}>
            <span>{attemptText(attempt)}</span>
            <Time at={attempt.at} withTime />
          </p>
          {attempt.response_excerpt && <pre className={styles['answer']}>{attempt.response_excerpt}</pre>}
        </li>
      ))}
    </ol>
  );
}
