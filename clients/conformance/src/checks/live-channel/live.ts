import type { ApiClient } from '../../http/api-client.ts';
import { Cable } from '../../world/cable.ts';
import type { Context } from '../../world/context.ts';

/** Connects as somebody, and closes after `use`. */
export function live(
  { network, target }: Context,
  who: ApiClient,
  use: (cable: Cable) => Promise<void>,
): Promise<void> {
  return Cable.with(network, target.baseUrl, who.headers, use);
}

export const CALLS = { channel: 'CallsChannel' };
export const EVENTS = { channel: 'EventsChannel' };
