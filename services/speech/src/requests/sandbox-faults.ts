import { setTimeout as sleep } from 'node:timers/promises';
import type { ServicePrincipal } from '@parley/rpc';
import { z } from 'zod';

/** Faults that the sandbox injects. */
export interface Faults {
  /** Fails or delays requests as configured in the sandbox. */
  simulate(principal: ServicePrincipal, signal: AbortSignal): Promise<void>;
}

/** For installations without a sandbox. */
export const noFaults: Faults = { simulate: async () => undefined };

const faultsJson = z.object({ speech: z.enum(['ok', 'fail', 'slow']) });
/** Long enough for a busy machine: a fault that is set must take effect. */
const ASK_LIMIT_MS = 4000;
/** Shorter than the deadline of a call between services. */
const SLOW_MS = 5000;

/**
 * Reads the sandbox's setting before each request, so that a change takes effect immediately. Requests of the sandbox itself are exempt:
 * its simulated callers need speech while the product's is down.
 */
export function sandboxFaults(sandboxUrl: string, slowMs = SLOW_MS): Faults {
  async function current(signal: AbortSignal): Promise<'ok' | 'fail' | 'slow'> {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
      const response = await fetch(new URL('/faults', sandboxUrl), { signal: limited });
      return faultsJson.parse(await response.json()).speech;
    } catch {
      // An unreachable sandbox injects nothing.
      return 'ok';
    }
  }

  return {
    async simulate(principal, signal) {
      if (principal.name === 'sandbox') return;
      const fault = await current(signal);
      if (fault === 'fail') throw new Error('the sandbox has switched speech to fail');
      if (fault === 'slow') await sleep(slowMs, undefined, { signal });
    },
  };
}
