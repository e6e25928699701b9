import path from 'node:path';
import { launchThread } from '../workers/thread-worker.ts';
import { createWorkerPool, type WorkerPoolOptions } from '../workers/worker-pool.ts';
import type { CalculationInput, CalculationJob, CalculationName, CalculationResult } from './calculations.ts';

/** Does a calculation beside the event loop. */
export type Calculator = <Name extends CalculationName>(
  name: Name,
  input: CalculationInput<Name>,
  signal: AbortSignal,
) => Promise<CalculationResult<Name>>;

const PROGRAM = path.join(import.meta.dirname, 'calculation-worker.ts');
const LIMIT_MS = 30_000;

export function openCalculator(options: Pick<WorkerPoolOptions<CalculationJob, any>, 'idleMs' | 'telemetry'>): {
  calculate: Calculator;
  stop(): Promise<void>;
} {
  const launch = async () => launchThread<CalculationJob, any>(PROGRAM);
  const pool = createWorkerPool<CalculationJob, any>({ ...options, name: 'calculation', size: 1, launch });
  return { calculate: (name, input, signal) => pool.run({ name, input }, LIMIT_MS, signal), stop: () => pool.stop() };
}
