import type { Check } from '../checks/check.ts';
import type { MutationResult } from '../mutations/run-mutations.ts';
import { type CheckResult, countByArea } from '../runner/result.ts';
import type { Reporter } from './report.ts';

/** What failed as soon as it has, and at the end a line per area. */
export const textReporter: Reporter = {
  onResult: ({ check, outcome, message }) =>
    outcome === 'failed'
      ? lines(`FAILED ${check.id} (${check.level}) ${check.sentence}`, `       ${message}`, `       ${check.source}`)
      : undefined,
  onMutation: ({ mutation, outcome, foundBy, message }) =>
    outcome === 'found'
      ? lines(`${mutation.id}: found by ${foundBy}. ${mutation.sentence}`)
      : lines(`${outcome === 'left_out' ? '' : 'NOT FOUND '}${mutation.id}: ${mutation.sentence} ${message}`),
  report: (report) =>
    lines(
      ...report.problems.map((problem) => `not cleaned up: ${problem}`),
      ...reasons(report.results),
      ...(report.isInterrupted ? ['interrupted'] : []),
      `${report.results.length} checks of the profile ${report.profile} in ${(report.durationMs / 1000).toFixed(1)} s`,
      ...countByArea(report.results).map(({ area, held, total }) => `${area}: ${held} of ${total}`),
      ...(report.mutations ? [mutationLine(report.mutations)] : []),
    ),
  list: (checks) => lines(...checks.map(listLine)),
};

function listLine({ id, level, profile, sentence, source }: Check): string {
  return `${id} ${level} ${profile} ${sentence} (${source})`;
}

/** Why checks were left out, each reason once. */
function reasons(results: readonly CheckResult[]): string[] {
  const left = results.filter(({ outcome }) => outcome === 'left_out');
  const byReason = Map.groupBy(left, ({ message }) => message ?? '');
  return [...byReason].map(
    ([reason, those]) => `left out: ${those.map(({ check }) => check.id).join(', ')}: ${reason}`,
  );
}

function mutationLine(mutations: readonly MutationResult[]): string {
  const tried = mutations.filter(({ outcome }) => outcome !== 'left_out');
  return `mutations: ${tried.filter(({ outcome }) => outcome === 'found').length} of ${tried.length}`;
}

function lines(...all: string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
