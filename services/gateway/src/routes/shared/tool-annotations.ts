import type { ToolAnnotations } from '@parley/http';

/** Changes nothing. */
export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something each time. */
export const adds: ToolAnnotations = { ...reads, readOnlyHint: false, idempotentHint: false };

/** Takes nothing away, and doing it again changes nothing. */
export const sets: ToolAnnotations = { ...reads, readOnlyHint: false };

/** Replaces what was there; doing it again changes nothing. */
export const overwrites: ToolAnnotations = { ...sets, destructiveHint: true };

/** Visible to customers. */
export const reachingCustomers = (annotations: ToolAnnotations): ToolAnnotations => ({
  ...annotations,
  openWorldHint: true,
});
