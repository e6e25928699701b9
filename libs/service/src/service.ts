import type { z } from 'zod';
import type { Lifecycle } from './lifecycle.ts';

/** A part of Parley that can be started: alone by its `main.ts`, or with the others in one process by the local stack. */
export interface Service<Config = unknown> {
  readonly name: string;
  /** Every setting, from the environment's strings to what the code needs. */
  readonly config: z.ZodType<Config>;
  /** Starts everything in reading order; registers each cleanup with `lifecycle.defer`, which runs them in reverse order. */
  start(config: Config, lifecycle: Lifecycle): Promise<void>;
}

/** Ties a configuration schema to the start function that takes it. */
export function defineService<Config>(service: Service<Config>): Service<Config> {
  return service;
}
