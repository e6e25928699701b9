import { contactCreated } from './contact-created.ts';
import { contactDeleted } from './contact-deleted.ts';
import { contactUpdated } from './contact-updated.ts';
import { employeeStatusChanged } from './employee-status-changed.ts';
import { numberRegistrationApproved } from './number-registration-approved.ts';
import { numberRegistrationRejected } from './number-registration-rejected.ts';
import type { Payload } from './payload.ts';

/** Every event that can be sent; a new one is a file beside this and a line in it. */
export const payloads: readonly Payload[] = [
  contactCreated,
  contactUpdated,
  contactDeleted,
  employeeStatusChanged,
  numberRegistrationApproved,
  numberRegistrationRejected,
];

/**
 * Facts of the same subjects that are no event for anybody. They are followed all the same: an event's place among its
 * subject's shows a gap otherwise, and the follower waits for what never comes.
 */
export const passedOver: readonly string[] = [
  'directory.employee.created',
  'directory.employee.updated',
  'directory.employee.deleted',
  'numbers-routing.number.created',
  'numbers-routing.number.updated',
];
