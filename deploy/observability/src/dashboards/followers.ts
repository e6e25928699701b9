import type { DashboardPlan } from './dashboard.ts';
import { hourly, rates, slowest } from './promql.ts';

export const followers: DashboardPlan = {
  name: 'followers',
  title: 'followers',
  rows: [
    {
      title: 'What waits',
      panels: [
        {
          title: 'Events that are stored but not published',
          help: 'Alert OutboxBacklog above 100. NATS: is it up, has the stream a leader, is there space on its disk?',
          unit: 'short',
          queries: [{ expr: 'max by (job) (parley_outbox_pending)', legend: '{{job}}' }],
        },
        {
          title: 'Events that are published but not applied',
          help: 'Alert FollowerLag above 1,000. One follower: its service or its MongoDB. All: the broker.',
          unit: 'short',
          queries: [{ expr: 'max by (job, follower) (parley_follower_pending)', legend: '{{job}} {{follower}}' }],
        },
        {
          title: 'Aggregates that fail or have a backlog',
          help: 'Alert FollowerBehind above 100. The log of the service has the reason.',
          unit: 'short',
          queries: [{ expr: 'max by (job, follower) (parley_follower_behind)', legend: '{{job}} {{follower}}' }],
        },
        {
          title: 'New dead letters, in an hour',
          help: 'Alert DeadLetters above 0. Read the reason (GET /dead_letters of the operator API), fix the cause, replay.',
          unit: 'short',
          queries: hourly('parley_dead_letters_total', 'job, follower'),
        },
      ],
    },
    {
      title: 'The stages of an event (1 in 20)',
      panels: [
        {
          title: '1. From the write to the stream',
          help: 'By the service that owns the event. Growing: the broker, or the MongoDB of that service.',
          unit: 's',
          queries: slowest(0.95, 'parley_event_publish_delay_seconds', 'job'),
        },
        {
          title: '2. From the stream to the follower',
          help: 'Growing for one: it is behind. For all: the broker.',
          unit: 's',
          queries: slowest(0.95, 'parley_follower_receive_delay_seconds', 'job, follower'),
        },
        {
          title: '3. Until its handler has ended',
          help: 'Growing: the MongoDB of that service, or an RPC that the handler makes.',
          unit: 's',
          queries: slowest(0.95, 'parley_follower_apply_delay_seconds', 'job, follower'),
        },
        {
          title: 'From the event to its handler: all of it',
          help: 'What somebody notices.',
          unit: 's',
          queries: slowest(0.95, 'parley_follower_delay_seconds', 'job, follower'),
        },
      ],
    },
    {
      title: 'The streams',
      panels: [
        {
          title: 'Used part of the limit of a stream',
          help: 'Alert StreamNearlyFull above 60 %.',
          unit: 'percentunit',
          queries: [{ expr: 'max by (stream) (parley_stream_usage_ratio)', legend: '{{stream}}' }],
        },
        {
          title: 'Events per second',
          help: 'Published, by service.',
          unit: 'ops',
          queries: rates('parley_event_publish_delay_seconds_count', 'job'),
        },
        {
          title: 'Postponed events per second',
          help: 'Alert EventsPostponed above 1: a company publishes more than its budget.',
          unit: 'ops',
          queries: rates('parley_events_postponed_total', 'job'),
        },
        {
          title: 'Partitions by follower',
          help: 'Leases that processes have. 0 for long: nobody follows.',
          unit: 'short',
          queries: [{ expr: 'sum by (job, follower) (parley_follower_partitions)', legend: '{{job}} {{follower}}' }],
        },
      ],
    },
  ],
};
