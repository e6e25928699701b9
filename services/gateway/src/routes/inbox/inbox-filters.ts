import { z } from 'zod';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;

/** Items per page; what is out of range is the nearest value in it. */
export const pageLimit = z
  .string()
  .regex(/^[+-]?\d{1,100}$/, 'must be an integer')
  .transform((text) => Math.min(Math.max(Number(text), 1), PAGE_MAX))
  .default(PAGE_DEFAULT)
  .describe('1 to 100; default 50');

export const pageCursor = z.string().max(2048).optional().describe('`next_cursor` of the page before');

/** A form sends an empty field for a filter that is not used. */
export const numberFilter = z
  .string()
  .max(128)
  .transform((id) => id || undefined)
  .optional()
  .describe('Only what belongs to this business number');

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');
