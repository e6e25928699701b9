import path from 'node:path';
import type { Calculation } from '../workers/calculation.ts';
import { launchThread } from '../workers/worker.ts';
import { createWorkerPool, type WorkerPoolOptions } from '../workers/worker-pool.ts';
import type { CalculationJob, CalculationName, calculations } from './calculations.ts';

export interface Calculator {
  /** The calculation of this name, outside the event loop. */
  calculation<Name extends CalculationName>(name: Name): Calculation<(typeof calculations)[Name]>;
  stop(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, 'calculation-worker.ts');
const LIMIT_MS = 60_000;

/** A thread that calculates. Each `name` has its own: a long recording does not keep speech waiting. */
export function openCalculator(
  options: Pick<WorkerPoolOptions<CalculationJob, any>, 'name' | 'idleMs' | 'telemetry'>,
): Calculator {
  const launch = async () => launchThread<CalculationJob, any>(PROGRAM);
  const pool = createWorkerPool<CalculationJob, any>({ ...options, size: 1, launch });
  return {
    calculation: (name) => (input, context) => pool.run({ name, input }, LIMIT_MS, context),
    stop: () => pool.stop(),
  };
}
