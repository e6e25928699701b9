import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { assistants } from './assistants.ts';
import { calls } from './calls.ts';
import { dashboard } from './dashboard.ts';
import { edge } from './edge.ts';
import { followers } from './followers.ts';
import { mongodb } from './mongodb.ts';
import { objectives } from './objectives.ts';
import { switches } from './switches.ts';
import { texts } from './texts.ts';
import { webhooks } from './webhooks.ts';

export const dashboards: readonly Dashboard[] = [
  objectives,
  edge,
  calls,
  assistants,
  switches,
  texts,
  webhooks,
  followers,
  mongodb,
].map(dashboard);
