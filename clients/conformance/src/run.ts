import type { Arguments } from './arguments.ts';
import type { Check } from './checks/check.ts';
import { Connections } from './http/network.ts';
import { mutations as allMutations } from './mutations/index.ts';
import { type MutationResult, runMutations } from './mutations/run-mutations.ts';
import type { Output } from './output.ts';
import { reporters } from './reports/index.ts';
import { conforms, type CheckResult } from './runner/result.ts';
import { runChecks } from './runner/run-checks.ts';
import { profileOf } from './target.ts';
import { CompanyStore } from './world/company-store.ts';
import type { World } from './world/context.ts';
import { Lock } from './world/lock.ts';

/** Runs checks, and mutations where they are asked for, writes the report, and deletes what was made, whatever happens. */
export async function run(
  { target, format, withMutations }: Arguments,
  chosen: readonly Check[],
  { out, error }: Output,
  signal: AbortSignal,
): Promise<number> {
  const reporter = reporters[format];
  const profile = profileOf(target);
  const checks = chosen.filter((check) => profile === 'full' || check.profile === 'api');
  const [connections, lock, stores] = [new Connections(), new Lock(), [] as CompanyStore[]];
  const makeWorld = (): World => {
    const companies = new CompanyStore(target, connections);
    stores.push(companies);
    return { target, connections, companies, signal };
  };
  const write = (text: string | undefined) => {
    if (text !== undefined) out(text);
  };
  const [startedAt, started] = [new Date(), performance.now()];
  const close = async () => (await Promise.all(stores.map((store) => store.close()))).flat();
  let results: CheckResult[];
  let mutations: MutationResult[] | undefined;
  let problems: string[];
  try {
    results = await runChecks(checks, makeWorld(), { onResult: (result) => write(reporter.onResult?.(result)), lock });
    if (withMutations) {
      const areas = new Set(checks.map(({ area }) => area));
      const those = allMutations.filter((mutation) => mutation.areas.some((area) => areas.has(area)));
      mutations = await runMutations(those, results, makeWorld, lock, (result) => write(reporter.onMutation?.(result)));
    }
  } finally {
    problems = await close();
    connections.close();
  }
  const durationMs = Math.round(performance.now() - started);
  const report = {
    baseUrl: target.baseUrl,
    profile,
    startedAt,
    durationMs,
    results,
    ...(mutations && { mutations }),
    problems,
    isInterrupted: signal.aborted,
  };
  if (checks.length === 0) error(`no check of the profile ${profile} was chosen\n`);
  write(reporter.report(report));
  const isFound = mutations?.every(({ outcome }) => outcome !== 'not_found') ?? true;
  return conforms(results) && isFound && !signal.aborted ? 0 : 1;
}
