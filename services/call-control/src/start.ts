import { systemClock } from '@parley/clock';
import { addPersonalDataService, companyErasure, followRetention } from '@parley/personal-data';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { encryptor as createEncryptor } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { addCallBackfillService } from './backfill/backfill-rpcs.ts';
import { addCallRecordService } from './call-records/call-record-rpcs.ts';
import { addCallService } from './call-rpcs/call-rpcs.ts';
import { isRecordingAwaited } from './call-rpcs/awaited-recording.ts';
import { isRecordingStopped } from './call-rpcs/stopped-recording.ts';
import { employeeRemoval } from './dispatch/employee-removal.ts';
import { startCalls } from './start-calls.ts';
import type { Config } from './config.ts';
import { addLiveReportService } from './live-report/live-report-rpcs.ts';
import { employeeDirectory } from './employees/directory-client.ts';
import { startFollowers } from './followers/followers.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { companySteps } from './personal-data/company-steps.ts';
import { retentionSteps } from './personal-data/retention-steps.ts';
import { addPresenceServices } from './presence/presence-rpcs.ts';
import type { RegisteredContact } from './presence/presence.ts';
import { openPresences } from './presence/presence-store.ts';
import { createRegistrations } from './presence/registrations.ts';
import { statusListeners as createStatusListeners } from './presence/status-listeners.ts';
import { addSoftphoneSessionService } from './softphone-sessions/softphone-session-rpcs.ts';
import { openSoftphoneSessions } from './softphone-sessions/softphone-session-store.ts';
import { guessLimit } from './softphone-sessions/guess-limit.ts';
import { switchDirectory as createSwitchDirectory } from './softphone-sessions/switch-directory.ts';
import { addCallContentService } from './call-rpcs/call-content-rpcs.ts';
import { addRecordingService } from './recordings/recording-rpcs.ts';
import { addSupervisionService } from './supervision/supervision-rpcs.ts';
import { lostPhones } from './switch/reader/lost-phones.ts';
import { addTransferService } from './transfers/transfer-rpcs.ts';
import { addVoicemailService } from './voicemails/voicemail-rpcs.ts';

export const SERVICE = 'call-control';

/** Below the gateway's own limit, so that the employee gets the error of a switch that does not respond. */
const SWITCH_CONFIRM_LIMIT_MS = 4000;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers: {
        directory: config.DIRECTORY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        speech: config.SPEECH_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const { clock, db, peers, relay } = service;
  const directory = employeeDirectory(peers.directory);
  const routing = peers.numbersRouting.client(RoutingService);
  const encryptor = createEncryptor(config.ENCRYPTION_KEY);

  const leaseMs = config.PRESENCE_LEASE_SECS * 1000;
  const presences = await openPresences({ db, relay, clock, machineClock: systemClock, leaseMs, directory });
  const registrations = createRegistrations(presences, systemClock);
  const softphoneSessions = await openSoftphoneSessions(db);
  const statusListeners = createStatusListeners();
  service.stopLater('presence timers', presences.startTimers());

  const domain = config.SIP_DOMAIN;
  const refusedPhones = service.telemetry.meter.createCounter('parley_phones_refused_total');
  const switchDirectory = createSwitchDirectory({
    softphoneSessions,
    encryptor,
    domain,
    clock,
    guesses: guessLimit(clock),
    onRefused: (reason) => refusedPhones.add(1, { reason }),
  });
  const running = await startCalls(service, config, { presences, registrations, statusListeners, switchDirectory });
  const onPhoneLost = lostPhones({ ...running, presences });
  const dropRegistration = async (employeeId: string, { switchName, callId, address }: RegisteredContact) => {
    try {
      // At the switch first, so that no call begins to ring there.
      await running.switches.get(switchName).dropRegistration({ employeeId, callId });
    } finally {
      await onPhoneLost({ employeeId, callId, address });
    }
  };
  const { search } = running;
  const leaveCalls = employeeRemoval(running);
  const followed = {
    presences,
    softphoneSessions,
    registrations,
    statusListeners,
    leaveCalls,
    dropRegistration,
    search,
    clock,
  };
  await startFollowers(service, { ...running, ...followed });
  await followRetention(service, retentionSteps(running));

  await service.serve((server) => {
    addCallService(server, { ...running, presences, directory, clock, confirmLimitMs: SWITCH_CONFIRM_LIMIT_MS });
    addCallRecordService(server, running);
    addTransferService(server, { ...running, presences, directory, clock, confirmLimitMs: SWITCH_CONFIRM_LIMIT_MS });
    addSupervisionService(server, { ...running, presences });
    addVoicemailService(server, { ...running, clock });
    addCallBackfillService(server, running);
    addRecordingService(server, {
      ...running,
      recordListening: running.listenings.record,
      isAwaited: isRecordingAwaited(running.calls),
      isStopped: isRecordingStopped(running.listenings, running.companyOf),
      clock,
    });
    addCallContentService(server, running);
    addPersonalDataService(server, {
      erase: erasePerson({ ...running, db, removal: relay.removal }),
      exportPerson: exportPerson(running),
      eraseCompany: companyErasure({ db, removal: relay.removal, first: companySteps(running) }),
    });
    addLiveReportService(server, { ...running, presences, clock });
    addPresenceServices(server, { presences, routing });
    addSoftphoneSessionService(server, {
      softphoneSessions,
      registrations,
      encryptor,
      clock,
      sip: { domain, websocketUrl: config.SIP_WEBSOCKET_URL, iceServers: config.ICE_SERVERS },
      dropRegistration,
    });
  });
}
