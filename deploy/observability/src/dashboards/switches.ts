import type { DashboardPlan } from './dashboard.ts';
import { hourly, rates, slowest } from './promql.ts';

const EVENTS = 'parley_switch_event_duration_seconds';

export const switches: DashboardPlan = {
  name: 'switches',
  title: 'switches',
  rows: [
    {
      title: 'Connection',
      panels: [
        {
          title: 'Reachable',
          help: 'Alert SwitchUnreachable at 0. Is the switch up, is its event socket open to call-control, is the password right?',
          unit: 'short',
          queries: [{ expr: 'min by (switch) (parley_switch_reachable)', legend: '{{switch}}' }],
        },
        {
          title: 'Draining',
          help: '1: an operator has taken it out of service for new calls.',
          unit: 'short',
          queries: [{ expr: 'max by (switch) (parley_switch_draining)', legend: '{{switch}}' }],
        },
        {
          title: 'Legs in progress',
          help: 'By switch.',
          unit: 'short',
          queries: [{ expr: 'max by (switch) (parley_call_legs_open)', legend: '{{switch}}' }],
        },
      ],
    },
    {
      title: 'Events of the switches',
      panels: [
        {
          title: 'Time to process an event (1 in 100)',
          help: 'Alert SwitchEventsSlow above 0.25 s: each step of a call is delayed by it. CPU of call-control, then its MongoDB.',
          unit: 's',
          queries: slowest(0.99, EVENTS, 'event'),
        },
        {
          title: 'Events per second',
          help: 'None while there are calls: the process that reads the switch stands still.',
          unit: 'ops',
          stacked: true,
          queries: rates(`${EVENTS}_count`, 'event'),
        },
        {
          title: 'Events set aside, in an hour',
          help: 'Alert SwitchEventsSetAside. The collection unapplied_switch_events has the reasons.',
          unit: 'short',
          queries: hourly('parley_switch_events_unapplied_total', 'switch'),
        },
        {
          title: 'Legs repaired after a comparison with the switch, in an hour',
          help: 'Events were lost: the connection was interrupted or call-control was restarted. Many without either: a defect.',
          unit: 'short',
          queries: hourly('parley_call_legs_repaired_total', 'switch'),
        },
      ],
    },
  ],
};
