import { contactCreated } from './contact-created.ts';
import { contactDeleted } from './contact-deleted.ts';
import { contactUpdated } from './contact-updated.ts';
import type { Payload } from './payload.ts';

/** Every event that can be sent; a new one is a file beside this and a line in it. */
export const payloads: readonly Payload[] = [contactCreated, contactUpdated, contactDeleted];
