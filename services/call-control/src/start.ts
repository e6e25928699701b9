import { encryptionContexts } from './encryption-contexts.ts';
import { systemClock } from '@parley/clock';
import { addPersonalDataService, companyErasure, followRetention } from '@parley/personal-data';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { encryptor as createEncryptor } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { counterFromZero } from '@parley/telemetry';
import { addAssistantCallService } from './assisted-calls/assistant-call-rpcs.ts';
import { addTakeoverService } from './assisted-calls/takeover-rpcs.ts';
import { addCallBackfillService } from './backfill/backfill-rpcs.ts';
import { addCallRecordService } from './call-records/call-record-rpcs.ts';
import { addCallContentService } from './call-rpcs/call-content-rpcs.ts';
import { addCallService } from './call-rpcs/call-rpcs.ts';
import type { Config } from './config.ts';
import { employeeDirectory } from './employees/directory-client.ts';
import { applyEmployee } from './followers/apply-employee.ts';
import { startFollowers } from './followers/followers.ts';
import { addLiveReportService } from './live-report/live-report-rpcs.ts';
import { migrations } from './migrations.ts';
import type { OpenedService } from './open-call-content.ts';
import { companySteps } from './personal-data/company-steps.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { retentionSteps } from './personal-data/retention-steps.ts';
import { addPresenceServices } from './presence/presence-rpcs.ts';
import { openPresences } from './presence/presence-store.ts';
import type { RegisteredContact } from './presence/presence.ts';
import { createRegistrations } from './presence/registrations.ts';
import { addRecordingAddressService } from './call-rpcs/recording-address-rpcs.ts';
import { addRecordingService } from './call-rpcs/recording-rpcs.ts';
import { guessLimit } from './softphone-sessions/guess-limit.ts';
import { addSoftphoneSessionService } from './softphone-sessions/softphone-session-rpcs.ts';
import { openSoftphoneSessions } from './softphone-sessions/softphone-session-store.ts';
import { switchDirectory as createSwitchDirectory } from './softphone-sessions/switch-directory.ts';
import { startCalls } from './start-calls.ts';
import { addSwitchAdminService } from './switch/admin/switch-admin-rpcs.ts';
import { addSupervisionService } from './supervision/supervision-rpcs.ts';
import { hangUpLostPhone } from './switch/reader/phones.ts';
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
      migrations: migrations(config.ENCRYPTION_KEY),
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: encryptionContexts },
      peers: {
        directory: config.DIRECTORY_ADDRESS,
        numbersRouting: config.NUMBERS_ROUTING_ADDRESS,
        speech: config.SPEECH_ADDRESS,
        assistant: config.ASSISTANT_ADDRESS,
      },
    },
    config,
    lifecycle,
  );
  const { clock, db, peers, relay } = service;
  const phones = await openPhones(service, config);
  const calls = await startCalls(service, config, phones);
  const dropRegistration = async (employeeId: string, { switchName, callId, address }: RegisteredContact) => {
    try {
      // At the switch first, so that no call begins to ring there.
      await calls.switches.get(switchName).dropRegistration({ employeeId, callId });
    } finally {
      await hangUpLostPhone(deps, { employeeId, callId, address });
    }
  };
  const deps = { ...phones, ...calls, clock, dropRegistration, confirmLimitMs: SWITCH_CONFIRM_LIMIT_MS };
  await startFollowers(service, deps);
  await followRetention(service, retentionSteps(deps));
  await service.serve((server) => {
    addCallService(server, deps);
    addCallRecordService(server, deps);
    addTransferService(server, deps);
    addSupervisionService(server, deps);
    addAssistantCallService(server, deps);
    addTakeoverService(server, deps);
    addVoicemailService(server, deps);
    addCallBackfillService(server, deps);
    addRecordingService(server, deps);
    addRecordingAddressService(server, deps);
    addCallContentService(server, deps);
    addPersonalDataService(server, {
      erase: erasePerson({ ...deps, db, removal: relay.removal }),
      exportPerson: exportPerson(deps),
      eraseCompany: companyErasure({ db, removal: relay.removal, first: companySteps(deps) }),
    });
    addLiveReportService(server, deps);
    addSwitchAdminService(server, deps);
    addPresenceServices(server, {
      ...deps,
      routing: peers.numbersRouting.client(RoutingService),
      applyEmployee: (employee) => applyEmployee(deps, employee),
    });
    const sip = {
      domain: config.SIP_DOMAIN,
      websocketUrl: config.SIP_WEBSOCKET_URL,
      iceServers: config.ICE_SERVERS,
    };
    addSoftphoneSessionService(server, { ...deps, machineClock: systemClock, sip });
  });
}

/** Employees with their phones: presence, registrations, and the credentials that phones register with. */
async function openPhones(service: OpenedService, config: Config) {
  const { clock, db, relay, telemetry } = service;
  const directory = employeeDirectory(service.peers.directory);
  const encryptor = createEncryptor(config.ENCRYPTION_KEY);
  const leaseMs = config.PRESENCE_LEASE_SECS * 1000;
  const presences = await openPresences({ db, relay, clock, machineClock: systemClock, leaseMs, directory });
  service.stopLater('presence timers', presences.startTimers());
  const softphoneSessions = await openSoftphoneSessions(db);
  const refusedPhones = counterFromZero(telemetry.meter, 'parley_phones_refused_total', [
    { reason: 'wrong_password' },
    { reason: 'throttled' },
  ]);
  const switchDirectory = createSwitchDirectory({
    softphoneSessions,
    encryptor,
    domain: config.SIP_DOMAIN,
    clock,
    guesses: guessLimit(clock),
    onRefused: (reason) => refusedPhones.add(1, { reason }),
  });
  const registrations = createRegistrations(presences, systemClock);
  return { directory, encryptor, presences, registrations, softphoneSessions, switchDirectory };
}
