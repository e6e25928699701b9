import type { Clock } from '@parley/clock';
import { RecordingAddressService } from '@parley/proto/call_control/v1/recordings_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Calls } from '../calls/store/call-store.ts';
import { callIdOf, isExpected, type RecordingSigner } from '../recordings/recording-file.ts';

interface RecordingAddressDeps {
  readonly calls: Pick<Calls, 'recordingsOf'>;
  readonly signer: RecordingSigner;
  readonly clock: Clock;
}

/** New addresses of recordings that an event names, for whoever reads the event. */
export function addRecordingAddressService(server: RpcServer, { calls, signer, clock }: RecordingAddressDeps): void {
  server.add(RecordingAddressService, employees.withRole('member'), {
    async signRecordings({ names }, { principal }) {
      const callIds = new Set(names.flatMap((name) => callIdOf(name) ?? []));
      const recordings = callIds.size === 0 ? [] : await calls.recordingsOf(principal.companyId, [...callIds]);
      const kept = recordings.filter(
        (recording) => !recording.isDeleted && (recording.status === 'stored' || isExpected(recording)),
      );
      return {
        recordings: kept
          .filter(({ name }) => names.includes(name))
          .map(({ name }) => ({ name, url: signer.url(name, principal, clock.now()) })),
      };
    },
  });
}
