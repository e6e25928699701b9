import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallViews } from './call-views.ts';

/**
 * Webhooks are delivered in up to six attempts over seven and a half hours, and receivers may process them later than
 * they accept them.
 */
const ADDRESS_VALID_SECS = 24 * 3600;

/** What webhooks show of calls. A foreign call is not there, exactly like an unknown one. */
export function addCallContentService(
  server: RpcServer,
  { calls, views }: { readonly calls: Calls; readonly views: CallViews },
): void {
  server.add(CallContentService, services('webhooks'), {
    async getCallContent({ companyId, callId }) {
      const call = await calls.of(companyId).get(callId);
      const [shown] = call ? await views.show({ companyId, givenTo: 'webhook' }, [call], ADDRESS_VALID_SECS) : [];
      return shown ? { call: shown } : {};
    },
  });
}
