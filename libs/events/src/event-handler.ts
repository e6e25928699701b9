import type { Event } from './envelope.ts';

/** Applies one event. It may see the same event again after a crash, so it writes under ids made from the event's own. */
export type EventHandler = (event: Event) => Promise<void>;
