import type { CheckResult } from '../runner/result.ts';
import { runCheck } from '../runner/run-check.ts';
import { profileOf } from '../target.ts';
import type { World } from '../world/context.ts';
import type { Lock } from '../world/lock.ts';
import { baseOf, type Mutation, reaches } from './mutation.ts';
import { startProxy } from './proxy.ts';

export interface MutationResult {
  readonly mutation: Mutation;
  readonly outcome: 'found' | 'not_found' | 'left_out';
  /** The check that found it. */
  readonly foundBy?: string;
  /** What that check said, or why the mutation was not found. */
  readonly message: string;
  readonly durationMs: number;
}

/** Mutations are tried at the same time, each lane with companies of its own. */
const LANES = 4;

/**
 * Tries mutations: for each, the checks of its areas run through its proxy until one fails. Only checks that held before and made a request that
 * the mutation concerns can find it, the quickest first. Without the addresses or the checks it needs, as with an API key alone, a mutation is
 * left out.
 */
export async function runMutations(
  mutations: readonly Mutation[],
  before: readonly CheckResult[],
  makeLane: () => World,
  lock: Lock,
  onResult?: (result: MutationResult) => void,
): Promise<MutationResult[]> {
  const results = new Map<Mutation, MutationResult>();
  const waiting = mutations.values();
  const runLane = async () => {
    const world = makeLane();
    for (const mutation of waiting) {
      if (world.signal?.aborted) return;
      const result = await runMutation(mutation, before, world, lock);
      results.set(mutation, result);
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return mutations.flatMap((mutation) => results.get(mutation) ?? []);
}

async function runMutation(
  mutation: Mutation,
  before: readonly CheckResult[],
  world: World,
  lock: Lock,
): Promise<MutationResult> {
  const started = performance.now();
  const result = (outcome: MutationResult['outcome'], message: string, foundBy?: string): MutationResult => ({
    mutation,
    outcome,
    message,
    ...(foundBy !== undefined && { foundBy }),
    durationMs: Math.round(performance.now() - started),
  });
  const base = baseOf(mutation, world.target);
  const those = before.filter(({ check }) => mutation.areas.includes(check.area));
  const isBeyond = mutation.profile === 'full' && profileOf(world.target) === 'api';
  if (base === undefined || isBeyond || those.every(({ outcome }) => outcome === 'left_out'))
    return result('left_out', 'nothing that it concerns was checked');
  const able = those.filter(({ outcome, made }) => outcome === 'held' && reaches(mutation, made, world.target));
  if (able.length === 0) return result('not_found', 'no check that holds makes a request that it concerns');
  const proxy = await startProxy(base, mutation);
  const unknown: string[] = [];
  try {
    for (const { check } of able.toSorted((one, other) => costOf(one) - costOf(other))) {
      if (world.signal?.aborted) break;
      const {
        outcome,
        message = '',
        isUnknown,
      } = await runCheck(check, { ...world, detour: { base, via: proxy.url } }, lock);
      if (isUnknown) unknown.push(`${check.id} ${message}`);
      else if (outcome === 'failed') return result('found', message, check.id);
    }
    const tried = `${able.length} checks hold in spite of it; ${proxy.changed()} exchanges were changed`;
    return result('not_found', [tried, ...unknown].join('; '));
  } finally {
    await proxy.close();
  }
}

/** What runs alone makes all lanes wait. */
function costOf({ check, durationMs }: CheckResult): number {
  return durationMs + (check.alone ? 1_000_000 : 0);
}
