import { type Check, partsOf } from '../checks/check.ts';
import type { MutationResult } from '../mutations/run-mutations.ts';
import { type CheckResult, conforms, countByArea } from '../runner/result.ts';
import type { Reporter } from './report.ts';

/** One JSON document at the end. */
export const jsonReporter: Reporter = {
  report: ({ baseUrl, profile, startedAt, durationMs, results, mutations, problems, isInterrupted }) =>
    document({
      base_url: baseUrl,
      profile,
      started_at: startedAt.toISOString(),
      duration_ms: durationMs,
      interrupted: isInterrupted,
      conforms: conforms(results) && !isInterrupted,
      areas: countByArea(results).map(({ area, held, total, leftOut }) => ({ area, held, total, left_out: leftOut })),
      checks: results.map(resultJson),
      ...(mutations && { mutations: mutations.map(mutationJson) }),
      problems,
    }),
  list: (checks) => document({ checks: checks.map(checkJson) }),
};

function checkJson({ id, area, level, sentence, source, profile }: Check) {
  return { id, area, level, sentence, source: partsOf(source), profile };
}

function resultJson({ check, outcome, message, durationMs }: CheckResult) {
  return { ...checkJson(check), outcome, message: message ?? null, duration_ms: durationMs };
}

function mutationJson({ mutation, outcome, foundBy, message, durationMs }: MutationResult) {
  const { id, sentence, areas } = mutation;
  return { id, sentence, areas, outcome, found_by: foundBy ?? null, message, duration_ms: durationMs };
}

function document(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
