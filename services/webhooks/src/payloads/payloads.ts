import { auditPayloads } from './audit-events.ts';
import { callPayloads } from './calls.ts';
import { contactPayloads } from './contacts.ts';
import { employeePayloads } from './employees.ts';
import { messagePayloads } from './messages.ts';
import { numberPayloads } from './numbers.ts';
import type { Payload } from './payload.ts';
import { threadPayloads } from './threads.ts';
import { voicemailPayloads } from './voicemails.ts';

/** Every event that can be sent; a new one is a line in its noun's file. */
export const payloads: readonly Payload[] = [
  ...callPayloads,
  ...voicemailPayloads,
  ...contactPayloads,
  ...employeePayloads,
  ...numberPayloads,
  ...messagePayloads,
  ...threadPayloads,
  // Last: the position of a fact's other events stays the same.
  ...auditPayloads,
];
