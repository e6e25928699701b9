import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findProgram } from '../local/find-program.ts';
import { objectiveRules } from './burn-rates.ts';

const promtool = findProgram('promtool');
if (!promtool) process.stderr.write('left out: the alerts of objectives over time: there is no promtool on PATH\n');
const itWithPromtool = promtool ? it : it.skip;

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'parley-rules-'))));
afterEach(() => rm(folder, { recursive: true }));

const REQUESTS = 'parley_http_request_duration_seconds';
const good = `${REQUESTS}_bucket{route="/contacts",status="200",le="1"}`;
const all = (status: string) => `${REQUESTS}_count{route="/contacts",status="${status}"}`;

/** The alerts that fire at a time, with series of a value for each interval. */
async function firing(
  series: Record<string, string>,
  at: string,
  expected: Record<string, string[]>,
  interval = '2m',
): Promise<void> {
  await writeFile(path.join(folder, 'rules.yaml'), stringify(objectiveRules()));
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: interval,
    tests: [
      {
        interval,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: Object.entries(expected).map(([alertname, objectives]) => ({
          expr: `count by (alertname, objective) (ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: at,
          exp_samples: objectives.map((objective) => ({
            labels: `{alertname="${alertname}",objective="${objective}"}`,
            value: 1,
          })),
        })),
      },
    ],
  };
  await writeFile(path.join(folder, 'test.yaml'), stringify(test));
  const tested = promisify(execFile)(promtool!, ['test', 'rules', 'test.yaml'], { cwd: folder });
  await expect(tested).resolves.toMatchObject({ stdout: expect.stringContaining('SUCCESS') });
}

describe('the alerts of objectives', () => {
  itWithPromtool('the alerts of objectives do not fire while one request in two thousand fails', async () => {
    const series = { [good]: '0+1999x100', [all('200')]: '0+1999x100', [all('500')]: '0+1x100' };
    await firing(series, '3h', { ApiBudgetFast: [], ApiBudgetSlow: [] });
  });

  itWithPromtool('the alerts of objectives page within an hour when one request in twenty fails', async () => {
    const series = { [good]: '0+95x120', [all('200')]: '0+95x120', [all('500')]: '0+5x120' };
    await firing(series, '1h', { ApiBudgetFast: ['api'], TextBudgetFast: [] });
  });

  itWithPromtool(
    'the alerts of objectives page when requests are slow, and when nothing good has ever happened',
    async () => {
      await firing({ [all('200')]: '0+10x120' }, '1h', { ApiBudgetFast: ['api'] });
    },
  );

  itWithPromtool('the alerts of objectives end soon after the last failure', async () => {
    const series = {
      [good]: '0+95x30 2850+100x60',
      [all('200')]: '0+95x30 2850+100x60',
      [all('500')]: '0+5x30 150x60',
    };
    await firing(series, '1h', { ApiBudgetFast: ['api'] });
    await firing(series, '1h40m', { ApiBudgetFast: [] });
  });

  itWithPromtool('the alerts of objectives make a ticket of what uses the budget within weeks', async () => {
    // Rules find what other rules have recorded for five minutes, and are evaluated in any order.
    const series = { [good]: '0+1328x360', [all('200')]: '0+1328x360', [all('500')]: '0+5x360' };
    await firing(series, '1d', { ApiBudgetFast: [], ApiBudgetSlow: ['api'] }, '4m');
  });

  itWithPromtool('the alerts of objectives need more than a few bad events', async () => {
    const series = { [good]: '0x60', [all('200')]: '0x60', [all('500')]: '0 1 2 3 3x57' };
    await firing(series, '1h', { ApiBudgetFast: [], ApiBudgetSlow: [] });
  });
});
