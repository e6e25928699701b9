import type { DashboardPlan } from './dashboard.ts';
import { failedShare, hourly, quantile, quantiles, rate, rates } from './promql.ts';

const SETUP = 'parley_call_setup_duration_seconds';

export const calls: DashboardPlan = {
  name: 'calls',
  title: 'calls',
  rows: [
    {
      title: 'Setting up calls',
      panels: [
        {
          title: 'Legs of calls in progress',
          help: 'Callers and phones together. It falls to zero at once: a switch was lost (dashboard switches).',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'sum(max by (switch) (parley_call_legs_open))', legend: 'legs' }],
        },
        {
          title: 'New calls per minute',
          help: 'Taken and rejected ones. None at a usual hour: the carrier does not reach the switch, or the switch does not reach call-control.',
          unit: 'short',
          figure: true,
          queries: [{ expr: `60 * ${rate(`${SETUP}_count`)}`, legend: 'calls' }],
        },
        {
          title: 'Failed set-ups',
          help: 'Callers hear busy after 15 s. The log line of call-control has the reason: numbers-routing, directory or MongoDB cannot be reached.',
          unit: 'percentunit',
          figure: true,
          queries: [{ expr: failedShare(`${SETUP}_count{outcome!="failed"}`, `${SETUP}_count`), legend: 'failed' }],
        },
        {
          title: 'Late timers',
          help: 'Alert TimersLate above 0: calls do not advance. No replica of call-control runs, or its MongoDB is slow.',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'max(parley_timers_late{job="parley/call-control"})', legend: 'timers' }],
        },
        {
          title: 'Time to set up a call',
          help: 'From the arrival at the switch until the call is stored and its first commands are executed. Slow: look at the RPCs of numbers-routing and directory, then at the MongoDB of call-control.',
          unit: 's',
          queries: quantiles(SETUP),
        },
        {
          title: 'Arrivals by outcome',
          help: 'rejected: no such number, a limit, a suspended company. failed: see above.',
          unit: 'ops',
          stacked: true,
          queries: rates(`${SETUP}_count`, 'outcome'),
        },
        {
          title: 'What a set-up asks for (1 in 20)',
          help: 'The RPCs that call-control makes before a call is stored: the route of the number and the settings of the company.',
          unit: 's',
          queries: [
            {
              expr: quantile(0.95, 'parley_rpc_duration_seconds', {
                by: 'job, method',
                where: 'job=~"parley/(numbers-routing|directory)"',
              }),
              legend: '{{method}}',
            },
          ],
        },
        {
          title: 'Calls refused because of a limit, in an hour',
          help: 'Alert CallsRefused. The log of call-control names the company. Others are not affected.',
          unit: 'short',
          queries: hourly('parley_calls_refused_total', 'limit'),
        },
      ],
    },
    {
      title: 'Calls in progress',
      panels: [
        {
          title: 'Documents with pending commands',
          help: 'Alert CommandsBacklog above 100: orders to the switch are stored but not executed. Is the switch reachable?',
          unit: 'short',
          queries: [
            {
              expr: 'max by (collection) (parley_commands_pending{job="parley/call-control"})',
              legend: '{{collection}}',
            },
          ],
        },
        {
          title: 'From a change of a call to its event in the stream',
          help: 'Everything that follows calls waits for it: inbox, webhooks, reports, dashboards. Slow: NATS or the MongoDB of call-control.',
          unit: 's',
          queries: quantiles('parley_event_publish_delay_seconds', 'job="parley/call-control"'),
        },
        {
          title: 'Unusual calls, in an hour',
          help: 'Alert UnusualCalls: maybe fraud. The log of call-control names the company.',
          unit: 'short',
          queries: hourly('parley_unusual_calls_total', 'kind'),
        },
        {
          title: 'Wrong passwords of phones, in an hour',
          help: 'Alert PhonePasswordsGuessed for throttled ones. The log of the switch names the source.',
          unit: 'short',
          queries: hourly('parley_phones_refused_total', 'reason'),
        },
      ],
    },
  ],
};
