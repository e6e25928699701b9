import type { DashboardPlan } from './dashboard.ts';
import { failedShare, hourly, quantile, quantiles, rate, rates } from './promql.ts';

const ACCEPTANCE = 'parley_text_acceptance_delay_seconds';
const OWN = 'job="parley/messaging-inbox"';

export const texts: DashboardPlan = {
  name: 'texts',
  title: 'texts',
  rows: [
    {
      title: 'Sending',
      panels: [
        {
          title: 'Texts per minute',
          help: 'Submitted to the provider.',
          unit: 'short',
          figure: true,
          queries: [{ expr: `60 * ${rate(`${ACCEPTANCE}_count`)}`, legend: 'texts' }],
        },
        {
          title: 'Without an answer of the provider',
          help: 'unavailable or unknown: the provider or the way to it. Check the egress of messaging-inbox and the status page of the provider.',
          unit: 'percentunit',
          figure: true,
          queries: [
            {
              expr: failedShare(`${ACCEPTANCE}_count{outcome=~"accepted|refused"}`, `${ACCEPTANCE}_count`),
              legend: 'without an answer',
            },
          ],
        },
        {
          title: 'Documents with pending commands',
          help: 'Alert CommandsBacklog above 100: texts or e-mails wait for the provider, a push service or directory.',
          unit: 'short',
          figure: true,
          queries: [{ expr: `max by (collection) (parley_commands_pending{${OWN}})`, legend: '{{collection}}' }],
        },
        {
          title: 'Late timers',
          help: 'Above 0: no replica of messaging-inbox runs, or its MongoDB is slow.',
          unit: 'short',
          figure: true,
          queries: [{ expr: `max(parley_timers_late{${OWN}})`, legend: 'timers' }],
        },
        {
          title: 'From the request to the answer of the provider',
          help: 'Slow with few pending commands: the provider is slow. Slow with many: it limits us, or messaging-inbox has too few replicas.',
          unit: 's',
          queries: quantiles(ACCEPTANCE),
        },
        {
          title: 'Answers of the provider',
          help: 'refused: by the provider, the text says why. unavailable: never reached. unknown: the connection broke after the request.',
          unit: 'ops',
          stacked: true,
          queries: rates(`${ACCEPTANCE}_count`, 'outcome'),
        },
      ],
    },
    {
      title: 'Receiving and reading',
      panels: [
        {
          title: 'Callbacks of the provider by status',
          help: 'Received texts and delivery reports. None while texts are sent: the provider does not reach the gateway. 4xx: its signature or its key.',
          unit: 'reqps',
          stacked: true,
          queries: rates('parley_http_request_duration_seconds_count{route=~"/webhooks/telnyx/.*"}', 'status'),
        },
        {
          title: 'RPCs of messaging-inbox (1 in 20)',
          help: 'The slowest: sending, lists of threads, search.',
          unit: 's',
          queries: [
            {
              expr: `topk(10, ${quantile(0.95, 'parley_rpc_duration_seconds', { by: 'method', where: OWN })})`,
              legend: '{{method}}',
            },
          ],
        },
        {
          title: 'Push messages by outcome, in an hour',
          help: 'failed: push services of browsers cannot be reached, check the egress of messaging-inbox.',
          unit: 'short',
          queries: hourly('parley_push_requests_total', 'outcome'),
        },
        {
          title: 'How far the inbox is behind calls and voicemails',
          help: 'Events that are pending. The inbox shows them late; the dashboard followers says why.',
          unit: 'short',
          queries: [{ expr: `max by (follower) (parley_follower_pending{${OWN}})`, legend: '{{follower}}' }],
        },
      ],
    },
  ],
};
