import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';
import { runCommand } from './run-command.ts';

/** What every test may depend on, although none of them imports it. */
const EVERYTHING =
  /^(package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|jest\.config\.js|patches\/|deploy\/bootstrap\/|libs\/testkit\/)/;
/** What a local stack executes. */
const STACK = /^(services|libs|deploy\/local|proto)\//;
const DASHBOARD = /^services\/gateway\/dashboard\//;
const IN_BROWSER = /^e2e\/(dashboard|identity|browser-phones)\//;
const TEST = /\.test\.ts$|\/test\//;

/**
 * The test files that a change can affect: those that import what has changed (`related`), those of the same package, which may read
 * files without importing them, and the end-to-end tests if it concerns what a stack runs.
 */
export function affectedTests(
  changed: readonly string[],
  { tests, related }: { readonly tests: readonly string[]; readonly related: readonly string[] },
): string[] {
  if (changed.some((file) => EVERYTHING.test(file))) return [...tests];
  const packages = new Set(changed.map(packageOf));
  const executed = changed.filter((file) => STACK.test(file) && !TEST.test(file));
  const isAffected = (test: string) =>
    related.includes(test) ||
    packages.has(packageOf(test)) ||
    (test.startsWith('e2e/') && executed.some((file) => !DASHBOARD.test(file) || IN_BROWSER.test(test)));
  return tests.filter(isAffected);
}

/** `services/webhooks`, `libs/http`; a capability in `e2e`. */
function packageOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** The tests that the changes since a commit can affect, committed or not; without one, since the branch left `main`. */
export async function changedTests(since: string | undefined): Promise<string[]> {
  const base = since ?? (await lines('git', ['merge-base', 'HEAD', 'origin/HEAD']).catch(() => ['HEAD']))[0]!;
  const changed = [
    ...(await lines('git', ['diff', '--name-only', base])),
    ...(await lines('git', ['ls-files', '--others', '--exclude-standard'])),
  ];
  const tests = (await lines('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'])).filter(
    (file) => existsSync(path.join(root, file)),
  );
  const jest = ['node_modules/jest/bin/jest.js', '--listTests', '--findRelatedTests', ...changed];
  const related = changed.length === 0 ? [] : await lines(process.execPath, jest);
  return affectedTests(changed, { tests, related: related.map((file) => path.relative(root, file)) });
}

async function lines(command: string, args: readonly string[]): Promise<string[]> {
  const { ok, output } = await runCommand(command, args);
  if (!ok) throw new Error(output);
  return output.split('\n').filter((line) => line !== '');
}
