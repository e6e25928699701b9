import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { WebhookDelivery } from '../api/schema.d.ts';
import { announce } from '../ui/announcements.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { attemptText, deliveryStatusText } from './delivery-text.ts';
import { deliveriesQuery, readDeliveriesAgain } from './webhook-queries.ts';

/** What was sent to a webhook, newest first. */
export function Deliveries({ id }: { id: string }): ReactNode {
  const deliveries = useInfiniteQuery(deliveriesQuery(id));
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <QueryState query={deliveries} what="deliveries">
        {({ pages }) => (
          <>
            {pages[0]?.deliveries.length === 0 && <p>Nothing was sent yet. Deliveries are kept for 30 days.</p>}
            <ul className="list">
              {pages
                .flatMap((page) => page.deliveries)
                .map((delivery) => (
                  <Delivery key={delivery.id} webhookId={id} delivery={delivery} />
                ))}
            </ul>
          </>
        )}
      </QueryState>
      <LoadMore {...deliveries} />
    </section>
  );
}

function Delivery({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }): ReactNode {
  const { id, event, created_at: createdAt, next_attempt_at: nextAttemptAt, attempts } = delivery;
  const again = useMutation({
    mutationFn: () =>
      ok(
        api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
          params: { path: { id: webhookId, delivery_id: id } },
        }),
      ),
    onSuccess: () => {
      announce(`${event} is being sent again.`);
      return readDeliveriesAgain(webhookId);
    },
  });
  return (
    <li className="delivery">
      <div className="delivery-head">
        <span>
          <strong>{event}</strong> <Time at={createdAt} withTime />
        </span>
        <span className={`delivery-${delivery.status}`}>
          {deliveryStatusText(delivery)}
          {delivery.status === 'pending' && nextAttemptAt && attempts.length > 0 && (
            <>
              {' '}
              at <Time at={nextAttemptAt} withTime />
            </>
          )}
        </span>
        <button
          type="button"
          className="quiet"
          aria-disabled={again.isPending}
          onClick={() => again.isPending || again.mutate()}
        >
          Send again
        </button>
      </div>
      {again.error && <Failure error={again.error} />}
      <ol aria-label="Attempts" className="attempts">
        {attempts.map((attempt, index) => (
          // Attempts have no id and are only ever added.
          <li key={index}>
            <Time at={attempt.at} withTime /> · {attemptText(attempt)}
            {attempt.response_excerpt && <pre>{attempt.response_excerpt}</pre>}
          </li>
        ))}
      </ol>
    </li>
  );
}
