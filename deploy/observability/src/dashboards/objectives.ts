import { ERROR_BUDGET, errorRatio } from '../objectives/burn-rates.ts';
import { objectives as promises } from '../objectives/objectives.ts';
import type { DashboardPlan } from './dashboard.ts';

const share = (name: string, window: string) => `${errorRatio(window)}{objective="${name}"}`;

export const objectives: DashboardPlan = {
  name: 'objectives',
  title: 'promises',
  rows: [
    {
      title: 'All promises',
      panels: [
        {
          title: 'Alerts that fire',
          help: 'Start here: docs/operations.md has a line for each alert, docs/observability.md says which dashboard to open.',
          unit: 'short',
          figure: true,
          queries: [
            { expr: 'count(ALERTS{alertstate="firing",severity=~"page|ticket"}) or vector(0)', legend: 'alerts' },
          ],
        },
        {
          title: 'How fast error budgets are used (1 h)',
          help: '1 uses the budget of 28 days in 28 days; alerts page at 14.4 within an hour and at 6 within six hours. No line: nothing was measured.',
          unit: 'short',
          queries: [{ expr: `${errorRatio('1h')} / ${ERROR_BUDGET}`, legend: '{{objective}}' }],
        },
      ],
    },
    ...promises.map(({ name, promise, target }) => ({
      title: `${promise}: ${(target * 100).toFixed(1)} %`,
      panels: [
        {
          title: 'Broken promises',
          help: `Share of events within 5 minutes, an hour and three days; ${((1 - target) * 100).toFixed(1)} % are allowed over 28 days.`,
          unit: 'percentunit' as const,
          queries: [
            { expr: share(name, '5m'), legend: '5 minutes' },
            { expr: share(name, '1h'), legend: 'an hour' },
            { expr: share(name, '3d'), legend: 'three days' },
          ] as const,
        },
      ],
    })),
  ],
};
