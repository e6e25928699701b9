import type { DashboardPlan } from './dashboard.ts';
import { failedShare, hourly, quantile, quantiles, rate, rates, slowest } from './promql.ts';

const REQUESTS = 'parley_http_request_duration_seconds';
const RPCS = 'parley_rpc_duration_seconds';
/** It lasts as long as somebody speaks. */
const NOT_STREAMED = 'method!~".*SpeechService/Listen"';

export const edge: DashboardPlan = {
  name: 'edge',
  title: 'edge',
  rows: [
    {
      title: 'Public API and pages',
      panels: [
        {
          title: 'Requests per second',
          help: 'All requests of the public gateway. A sudden fall with a fall of all statuses means that clients do not reach the gateway: check the ingress.',
          unit: 'reqps',
          figure: true,
          queries: [{ expr: rate(`${REQUESTS}_count`), legend: 'requests' }],
        },
        {
          title: 'Requests that end in a 5xx',
          help: 'Alert RequestsFailing above 1 %. The panel of failing methods below names the service behind it.',
          unit: 'percentunit',
          figure: true,
          queries: [{ expr: failedShare(`${REQUESTS}_count{status!~"5.."}`, `${REQUESTS}_count`), legend: 'failed' }],
        },
        {
          title: 'Live connections',
          help: 'Open dashboards and apps with the live channel. All at once fewer: a gateway was restarted or the ingress cuts connections.',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'sum(parley_live_connections)', legend: 'connections' }],
        },
        {
          title: 'Processes that report',
          help: 'By service. Fewer than replicas: a process has ended or cannot reach the collector.',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'count by (job) (target_info{job=~"parley/.*"})', legend: '{{job}}' }],
        },
        {
          title: 'Responses by status',
          help: '499: the client closed the connection first. 429: a limit was reached. 401: wrong credentials. 5xx: an error of ours.',
          unit: 'reqps',
          stacked: true,
          queries: rates(`${REQUESTS}_count`, 'status'),
        },
        {
          title: 'Time to the response',
          help: 'Alert RequestsSlow above 1 s for 1 in 100. Compare with the RPCs below: a slow service shows there too; if only the gateway is slow, check its CPU.',
          unit: 's',
          queries: quantiles(REQUESTS),
        },
        {
          title: 'Slowest routes (1 in 20)',
          help: 'One route alone: look for the RPC that it calls. All routes: the gateway, identity, which checks every credential, or the network.',
          unit: 's',
          queries: [
            { expr: `topk(10, ${quantile(0.95, REQUESTS, { by: 'method, route' })})`, legend: '{{method}} {{route}}' },
          ],
        },
        {
          title: 'Live updates: from the change to all connections',
          help: 'Changes of contacts, employees and who is in a call. Slow: compare with the delays of events (dashboard followers) to see whether it is before the broker or in the gateway.',
          unit: 's',
          queries: quantiles('parley_live_update_delay_seconds'),
        },
      ],
    },
    {
      title: 'RPCs between services',
      panels: [
        {
          title: 'By service (1 in 100)',
          help: 'Alert RpcsSlow above 0.5 s. The slow service first, then its MongoDB (dashboard mongodb): a slow service makes those slow that call it.',
          unit: 's',
          queries: slowest(0.99, RPCS, 'job', NOT_STREAMED),
        },
        {
          title: 'By service and status',
          help: 'INTERNAL: a defect, the log of that service has it. UNAVAILABLE: its MongoDB or a peer cannot be reached. DEADLINE_EXCEEDED: it is slow. The others are refusals.',
          unit: 'reqps',
          queries: rates(`${RPCS}_count`, 'job, status'),
        },
        {
          title: 'Slowest methods (1 in 20)',
          help: 'Which operation is slow.',
          unit: 's',
          queries: [
            { expr: `topk(10, ${quantile(0.95, RPCS, { by: 'method', where: NOT_STREAMED })})`, legend: '{{method}}' },
          ],
        },
        {
          title: 'Processes that ended because of an error, in an hour',
          help: 'Not zero: the last log line of the process has the error.',
          unit: 'short',
          queries: hourly('parley_process_crashes_total', 'job'),
        },
      ],
    },
  ],
};
