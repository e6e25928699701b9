import type { Clock } from '@parley/clock';
import { RecordingAddressService } from '@parley/proto/call_control/v1/recordings_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Calls } from '../calls/store/call-store.ts';
import type { RecordingSigner } from '../recordings/recording-signer.ts';
import { recordingOf } from './call-views.ts';

/**
 * Webhooks are delivered in up to six attempts over seven and a half hours, and receivers may process them later than
 * they accept them.
 */
const VALID_SECS = 24 * 3600;

/** Addresses of recordings for webhooks. A foreign call has none, exactly like an unknown one. */
export function addRecordingAddressService(
  server: RpcServer,
  { calls, signer, clock }: { calls: Calls; signer: RecordingSigner; clock: Clock },
): void {
  server.add(RecordingAddressService, services('webhooks'), {
    async getRecordingAddress({ companyId, callId }) {
      const call = await calls.of(companyId).get(callId);
      const name = call && recordingOf(call);
      return name === undefined ? {} : { url: signer.url(name, clock.now(), VALID_SECS) };
    },
  });
}
