import type { DashboardPlan } from './dashboard.ts';
import { hourly, rates, slowest } from './promql.ts';

const USE = 'parley_mongodb_connection_use_duration_seconds';
const WAIT = 'parley_mongodb_connection_wait_duration_seconds';

export const mongodb: DashboardPlan = {
  name: 'mongodb',
  title: 'MongoDB, as the services see it',
  rows: [
    {
      title: 'Commands',
      panels: [
        {
          title: 'Time of a command (1 in 100)',
          help: 'How long a command holds its connection. One service: its slow queries and indexes. All services: disk, elections or the network of MongoDB.',
          unit: 's',
          queries: slowest(0.99, USE, 'job'),
        },
        {
          title: 'Time of a command (half are slower)',
          help: 'It rises with the load of MongoDB itself.',
          unit: 's',
          queries: slowest(0.5, USE, 'job'),
        },
        {
          title: 'Commands per second',
          help: 'By service.',
          unit: 'ops',
          stacked: true,
          queries: rates(`${USE}_count`, 'job'),
        },
        {
          title: 'Commands in progress, on average',
          help: 'Near 50 for each replica: the pool is used up.',
          unit: 'short',
          queries: rates(`${USE}_sum`, 'job'),
        },
      ],
    },
    {
      title: 'Connections',
      panels: [
        {
          title: 'Wait for a connection (1 in 100)',
          help: 'More than milliseconds: all 50 connections of a process are in use, because commands are slow or there are too many.',
          unit: 's',
          queries: slowest(0.99, WAIT, 'job'),
        },
        {
          title: 'Connections',
          help: 'Used and idle ones of all replicas. MongoDB needs room for 50 per replica of a service.',
          unit: 'short',
          stacked: true,
          queries: [{ expr: 'sum by (job, state) (parley_mongodb_connections)', legend: '{{job}} {{state}}' }],
        },
        {
          title: 'Operations that got no connection, in an hour',
          help: 'MongoDB cannot be reached, or the pool was cleared after an election.',
          unit: 'short',
          queries: hourly('parley_mongodb_connection_failures_total', 'job'),
        },
      ],
    },
  ],
};
