import type { Presences } from '../presence/presence-store.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly presences: Presences;
}
