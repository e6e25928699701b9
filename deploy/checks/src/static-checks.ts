import { documentsAgreeWithCode } from './documents.ts';
import { foldersAreOrdered } from './folder-order.ts';
import { generatedCodeIsCurrent } from './generated-code.ts';
import { requestTargetsAreReadSafely } from './request-targets.ts';
import { runCommand } from './run-command.ts';

/** Something about the repository that holds or does not, without running the product. */
interface StaticCheck {
  readonly name: string;
  readonly run: () => Promise<{ ok: boolean; output: string }>;
}

/** A library, decisions, and a service with a database: enough to notice that tests depend on our runtime of Jest. */
const STOCK_SAMPLE = ['libs/errors', 'libs/http/src/endpoints', 'services/directory/src'];

const staticChecks: readonly StaticCheck[] = [
  { name: 'types', run: () => runCommand('tsc', ['-p', '.']) },
  { name: 'types of the TypeScript client', run: () => runCommand('tsc', ['-p', 'clients/typescript', '--noEmit']) },
  { name: 'types of the dashboard', run: () => runCommand('tsc', ['-p', 'services/gateway/dashboard']) },
  { name: 'lint', run: () => runCommand('oxlint', ['--type-aware']) },
  { name: 'format', run: () => runCommand('oxfmt', ['--check']) },
  {
    name: 'dependency rules',
    run: () =>
      runCommand('depcruise', [
        '--config',
        '.dependency-cruiser.mjs',
        'libs',
        'services',
        'clients',
        'deploy/local',
        'deploy/checks',
        'deploy/observability',
        'e2e',
      ]),
  },
  { name: 'order of folders', run: foldersAreOrdered },
  { name: 'documents', run: documentsAgreeWithCode },
  { name: 'request targets', run: requestTargetsAreReadSafely },
  { name: 'dead code', run: () => runCommand('knip', ['--no-progress', '--no-config-hints']) },
  { name: 'contract lint', run: () => runCommand('buf', ['lint', 'proto']) },
  {
    name: 'contract compatibility',
    run: () => runCommand('buf', ['breaking', 'proto', '--against', 'proto/released.binpb']),
  },
  { name: 'generated code', run: generatedCodeIsCurrent },
  {
    name: 'tests on stock Jest',
    run: () => runCommand(process.execPath, ['deploy/checks/src/test.ts', '--stock', ...STOCK_SAMPLE]),
  },
];

/** Most of them use one core. */
const AT_ONCE = 2;

/** Runs all of them, or those whose name contains one of `names`; shows what failed, and counts. */
export async function runStaticChecks(names: readonly string[] = []): Promise<{ passed: number; failed: number }> {
  const chosen = staticChecks.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const waiting = chosen.values();
  let failed = 0;
  async function runWaiting(): Promise<void> {
    for (const { name, run } of waiting) {
      const started = performance.now();
      const { ok, output } = await run();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
      if (ok) continue;
      failed += 1;
      console.log(output);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
  return { passed: chosen.length - failed, failed };
}
