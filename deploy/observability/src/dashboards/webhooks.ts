import type { DashboardPlan } from './dashboard.ts';
import { failedShare, perHour, quantiles, rate, rates } from './promql.ts';

const ATTEMPTS = 'parley_webhook_attempts_total';

export const webhooks: DashboardPlan = {
  name: 'webhooks',
  title: 'webhooks',
  rows: [
    {
      title: 'Attempts',
      panels: [
        {
          title: 'Attempts per minute',
          help: 'None while events are pending: alert WebhooksSilent. Check the readiness and the log of webhooks.',
          unit: 'short',
          figure: true,
          queries: [{ expr: `60 * ${rate(ATTEMPTS)}`, legend: 'attempts' }],
        },
        {
          title: 'Failed attempts',
          help: 'Alert WebhookReceiversFailing above a half. By outcome below.',
          unit: 'percentunit',
          figure: true,
          queries: [{ expr: failedShare(`${ATTEMPTS}{outcome="delivered"}`, ATTEMPTS), legend: 'failed' }],
        },
        {
          title: 'Given up, in an hour',
          help: 'Deliveries whose last attempt failed. The customer can retry them.',
          unit: 'short',
          figure: true,
          queries: [{ expr: perHour('parley_webhook_deliveries_failed_total'), legend: 'deliveries' }],
        },
        {
          title: 'Receivers in use',
          help: 'That get or wait for requests.',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'sum(parley_webhook_receivers)', legend: 'receivers' }],
        },
        {
          title: 'Attempts by outcome',
          help: 'rejected: the receiver answered an error. dns, connect, tls, timeout of many receivers: the egress of the installation. refused_address: a private address.',
          unit: 'ops',
          stacked: true,
          queries: rates(ATTEMPTS, 'outcome'),
        },
        {
          title: 'From the event to the first attempt',
          help: 'What is promised. The stages are below and on the dashboard followers.',
          unit: 's',
          queries: quantiles('parley_webhook_first_attempt_delay_seconds'),
        },
      ],
    },
    {
      title: 'What comes before an attempt',
      panels: [
        {
          title: 'From the stored attempt to its request',
          help: 'Growing: slow receivers use all requests at once (`REQUESTS_MAX`), add replicas.',
          unit: 's',
          queries: quantiles('parley_webhook_start_delay_seconds'),
        },
        {
          title: 'From the event to the handler of webhooks',
          help: 'Growing: the owner of the event, NATS, or the MongoDB of webhooks (dashboard followers).',
          unit: 's',
          queries: quantiles('parley_follower_delay_seconds', 'job="parley/webhooks"'),
        },
        {
          title: 'Pending events',
          help: 'Alert FollowerLag above 1,000.',
          unit: 'short',
          queries: [
            { expr: 'max by (follower) (parley_follower_pending{job="parley/webhooks"})', legend: '{{follower}}' },
          ],
        },
        {
          title: 'Time that MongoDB takes (1 in 100)',
          help: 'Each attempt is stored before and after its request.',
          unit: 's',
          queries: quantiles('parley_mongodb_connection_use_duration_seconds', 'job="parley/webhooks"'),
        },
      ],
    },
  ],
};
