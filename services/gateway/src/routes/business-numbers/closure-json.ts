import type { Closure } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { z } from 'zod';

/** Days on which a number is closed. */
export const closureSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    from: z.string().describe('YYYY-MM-DD, in the time zone of the number'),
    to: z.string().describe('YYYY-MM-DD, inclusive'),
  })
  .meta({ id: 'Closure' });

export function closureJson({ id, name, from, to }: Closure): z.output<typeof closureSchema> {
  return { id, name, from, to };
}
