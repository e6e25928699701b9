import { z } from 'zod';

/** A form sends an empty field for a filter that is not used. */
export const numberFilter = z
  .string()
  .max(128)
  .transform((id) => id || undefined)
  .optional()
  .describe('Only what belongs to this business number');

export const assigneeFilter = z
  .string()
  .max(128)
  .transform((id) => id || undefined)
  .optional()
  .describe('Only threads that are assigned to this employee');
