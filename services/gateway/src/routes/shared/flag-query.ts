import { z } from 'zod';

/** A boolean in a query. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');
