import { type Company, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** A request as the sandbox's receiver had it. */
export interface Arrived {
  readonly body: { event: string; timestamp: string; data: Record<string, any> };
  readonly raw_body: string;
  readonly headers: Record<string, string>;
  readonly answered: number | null;
}

/** A receiver of the sandbox. */
export interface Hook {
  readonly url: string;
  /** Sets the responses in order; the last one repeats. */
  answer(responses: unknown[], delayMs?: number): Promise<void>;
  arrived(): Promise<Arrived[]>;
  /** Waits until so many requests have arrived. */
  has(howMany: number): Promise<Arrived[]>;
}

let hooks = 0;

export function openHook(company: Pick<Company, 'id'>, stack = sharedStack()): Hook {
  const path = `/hooks/${company.id}-${(hooks += 1)}`;
  const arrived = async () => (await succeeded(sandbox(stack, 'GET', path))).body as Arrived[];
  return {
    url: stack.sandbox_url + path,
    async answer(responses, delayMs = 0) {
      await succeeded(sandbox(stack, 'PUT', path, { responses, delay_ms: delayMs }));
    },
    arrived,
    has: (howMany) =>
      waitUntil(
        async () => {
          const now = await arrived();
          return now.length >= howMany && now;
        },
        { what: `${howMany} requests at ${path}` },
      ),
  };
}
