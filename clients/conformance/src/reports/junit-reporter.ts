import { type Check, partsOf } from '../checks/check.ts';
import type { MutationResult } from '../mutations/run-mutations.ts';
import { type CheckResult, countByArea } from '../runner/result.ts';
import type { Report, Reporter } from './report.ts';

interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly durationMs?: number;
  readonly failure?: string;
  readonly skipped?: string;
}

/** A document as programs of continuous integration read it: a suite per area. A failed `should` is a skipped case, as it fails nothing. */
export const junitReporter: Reporter = {
  report: (report) => document(suitesOf(report)),
  list: (checks) =>
    document(
      Map.groupBy(checks, ({ area }) => area)
        .entries()
        .map(([area, those]) => suite(area, those.map(listCase))),
    ),
};

function* suitesOf({ results, mutations }: Report): Generator<string> {
  for (const { area } of countByArea(results)) {
    yield suite(area, results.filter(({ check }) => check.area === area).map(resultCase));
  }
  if (mutations) yield suite('mutations', mutations.map(mutationCase));
}

function listCase(check: Check): TestCase {
  return { name: `${check.id} ${check.sentence}`, className: partsOf(check.source).document };
}

function resultCase({ check, outcome, message = '', durationMs }: CheckResult): TestCase {
  const isFailure = outcome === 'failed' && check.level === 'must';
  return {
    ...listCase(check),
    durationMs,
    ...(isFailure ? { failure: `${message}\n${check.source}` } : outcome !== 'held' && { skipped: message }),
  };
}

function mutationCase({ mutation, outcome, foundBy, message, durationMs }: MutationResult): TestCase {
  return {
    name: `${mutation.id} ${mutation.sentence}`,
    className: foundBy ?? 'mutations',
    durationMs,
    ...(outcome === 'not_found' && { failure: message }),
    ...(outcome === 'left_out' && { skipped: message }),
  };
}

function suite(name: string, cases: readonly TestCase[]): string {
  const count = (what: 'failure' | 'skipped') => cases.filter((one) => one[what] !== undefined).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" skipped="${count('skipped')}"`;
  return `  <testsuite name="${escaped(name)}" ${counts}>\n${cases.map(testCase).join('')}  </testsuite>\n`;
}

function testCase({ name, className, durationMs = 0, failure, skipped }: TestCase): string {
  const start = `    <testcase name="${escaped(name)}" classname="${escaped(className)}" time="${durationMs / 1000}"`;
  if (failure !== undefined) return `${start}><failure message="${escaped(failure)}"/></testcase>\n`;
  if (skipped !== undefined) return `${start}><skipped message="${escaped(skipped)}"/></testcase>\n`;
  return `${start}/>\n`;
}

function document(suites: Iterable<string>): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n${[...suites].join('')}</testsuites>\n`;
}

/** What a server sends may have characters that XML does not know. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
