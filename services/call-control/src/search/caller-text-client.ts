import { CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import type { Channel } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { callerTextOf } from './caller-text.ts';

const DAY_SECS = 24 * 3600;

/** The caller context as one text for search. Empty for an unknown caller or without connected systems. */
export function callerTextClient(channel: Channel, log: Logger) {
  const lookup = channel.client(CallerLookupService);
  return async (companyId: string, phone: string): Promise<string> => {
    if (!phone.startsWith('+')) return '';
    try {
      const { context } = await lookup.lookUpCaller({ companyId, phone, ageMaxSecs: DAY_SECS });
      return callerTextOf(context);
    } catch (error) {
      log.debug({ err: error }, 'no caller context to search in');
      return '';
    }
  };
}
