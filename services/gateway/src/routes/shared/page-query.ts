import { z } from 'zod';

export const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;

/** Items per page, where a list is not always in pages; what is out of range is the nearest value in it. */
export const optionalPageLimit = z
  .string()
  .regex(/^[+-]?\d{1,100}$/, 'must be an integer')
  .transform((text) => Math.min(Math.max(Number(text), 1), PAGE_MAX))
  .optional();

export const pageLimit = optionalPageLimit.unwrap().default(PAGE_DEFAULT).describe('1 to 100; default 50');

export const pageCursor = z.string().max(2048).optional().describe('`next_cursor` of the page before');
