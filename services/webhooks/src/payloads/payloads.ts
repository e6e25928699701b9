import { callPayloads } from './calls.ts';
import { contactCreated } from './contact-created.ts';
import { contactDeleted } from './contact-deleted.ts';
import { contactUpdated } from './contact-updated.ts';
import { employeeStatusChanged } from './employee-status-changed.ts';
import { messagePayloads } from './messages.ts';
import { numberRegistrationApproved } from './number-registration-approved.ts';
import { numberRegistrationRejected } from './number-registration-rejected.ts';
import type { Payload } from './payload.ts';
import { voicemailPayloads } from './voicemails.ts';

/** Every event that can be sent; a new one is a file beside this and a line in it. */
export const payloads: readonly Payload[] = [
  ...callPayloads,
  ...voicemailPayloads,
  contactCreated,
  contactUpdated,
  contactDeleted,
  employeeStatusChanged,
  numberRegistrationApproved,
  numberRegistrationRejected,
  ...messagePayloads,
];
