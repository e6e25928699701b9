import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@parley/clock';
import type { Relay } from '@parley/aggregates';
import { encryptor, fileSealer } from '@parley/secrets';
import type { Channel } from '@parley/rpc';
import type { ServiceRuntime } from '@parley/service';
import type { Db } from 'mongodb';
import type { Config } from './config.ts';
import type { Presences } from './presence/presence-store.ts';
import type { Registrations } from './presence/registrations.ts';
import type { StatusListeners } from './presence/status-listeners.ts';
import { type Blobs, openBlobs } from './recordings/blob-store.ts';
import { encryptedBlobs } from './recordings/encrypted-blobs.ts';
import { layeredBlobs } from './recordings/layered-blobs.ts';
import { type RecordingSigner, recordingSigner } from './recordings/recording-signer.ts';
import { s3Blobs } from './recordings/s3-blob-store.ts';
import { callerTextClient } from './search/caller-text-client.ts';
import { type Listenings, openListenings } from './listenings/listening-store.ts';
import { openSearch, type SearchIndex } from './search/search-store.ts';
import { startSwitchReader } from './switch/reader/start-switch-reader.ts';
import { type Switch, switchClient, type Switches, switchesByName } from './switch/connection/switch-client.ts';
import { openSwitchContacts } from './switch/reader/switch-contact-store.ts';
import { processFacts } from './switch/reader/process-facts-client.ts';
import { processIdentity } from './switch/reader/process-identity.ts';
import { openSwitchLeases } from './switch/reader/switch-lease-store.ts';
import { openSwitchLink } from './switch/connection/switch-link-client.ts';
import { promptClient } from './switch/http/prompt-client.ts';
import { receiveRecording } from './switch/http/receive-recording.ts';
import { startSwitchHttp } from './switch/http/start-switch-http.ts';
import { speechClient } from './speech/speech-client.ts';
import { startTranscriptions, type Transcriptions } from './transcripts/start-transcriptions.ts';
import { searchWordKeys } from '@parley/search-terms';
import { type VoicemailTexts, voicemailTexts } from './voicemails/voicemail-texts.ts';
import { openTranscripts, type Transcripts } from './transcripts/transcript-store.ts';
import {
  openVoicemails,
  saveVoicemailIn,
  type Voicemails,
  withdrawVoicemailFrom,
} from './voicemails/voicemail-store.ts';
import { type NoteStorage, noteStorage } from './call-notes/stored-notes.ts';
import { callArrivals } from './switch/reader/arrivals.ts';
import { CALL_TIMERS } from './calls/model/call-command.ts';
import { type CallRunner, callRunner } from './calls/store/call-runner.ts';
import { type CallViews, callViews } from './calls/rpc/call-views.ts';
import { type Calls, openCalls } from './calls/store/call-store.ts';
import { callerLookupClient, companyClient, type CompanyOf, type CountryOf } from './clients/company-client.ts';
import { type CallAdmissions, callAdmissions } from './call-usage/call-admissions.ts';
import { openCallUsages } from './call-usage/call-usage-store.ts';
import { permitOutside } from './switch/commands/permit-outside.ts';
import { noteEnds } from './calls/store/note-ends.ts';
import { decideCall } from './calls/decide/decide-call.ts';
import { type HoldOthers, holdOthers } from './dispatch/hold-others.ts';
import { employeeDispatch } from './dispatch/employee-dispatch.ts';
import { createLegEventHandler } from './switch/reader/leg-event-handler.ts';
import { lostPhones } from './switch/reader/lost-phones.ts';
import { undialablePhones } from './switch/reader/undialable-phones.ts';
import { createLostSwitches } from './switch/reader/lost-switches.ts';
import { type Routing, routingClient } from './clients/routing-client.ts';
import { replaceCallbacks } from './dispatch/replace-callbacks.ts';
import { tellPlaces } from './dispatch/tell-places.ts';
import { startCallCommands } from './switch/commands/start-call-commands.ts';
import { startCallMaintenance } from './dispatch/start-call-maintenance.ts';

export interface StartCallsDeps {
  readonly db: Db;
  readonly relay: Relay;
  readonly clock: Clock;
  readonly directory: Channel;
  readonly numbersRouting: Channel;
  readonly speech: Channel;
  readonly presences: Presences;
  readonly registrations: Registrations;
  readonly statusListeners: StatusListeners;
  /** Answers `POST /switch/directory`. */
  readonly switchDirectory: (form: string) => Promise<string>;
}

/** What the RPCs need of calls. */
export interface RunningCalls {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly holdOthers: HoldOthers;
  readonly switches: Switches;
  readonly countryOf: CountryOf;
  readonly views: CallViews;
  readonly search: SearchIndex;
  readonly transcripts: Transcripts;
  readonly transcriptions: Transcriptions;
  readonly voicemails: Voicemails;
  readonly voicemailTexts: VoicemailTexts;
  readonly blobs: Blobs;
  readonly signer: RecordingSigner;
  readonly listenings: Listenings;
  readonly notes: NoteStorage;
  readonly routing: Routing;
  readonly companyOf: CompanyOf;
  readonly admissions: CallAdmissions;
  /** How many carriers there are. */
  readonly carriers: number;
}

/**
 * The lease of the process that reads a switch: how long its calls wait after a crash on another machine. On the same
 * machine a crash is seen at once.
 */
const SWITCH_LEASE_MS = 5000;
const COMMAND_SUBSCRIPTION = 'BACKGROUND_JOB';

/** Starts everything that calls need: switches, commands, timers, and the HTTP interface for switches. */
export async function startCalls(
  runtime: ServiceRuntime,
  config: Config,
  parts: StartCallsDeps,
): Promise<RunningCalls> {
  const { lifecycle, backgroundWork, telemetry } = runtime;
  const { log } = telemetry;
  const { db, relay, clock, presences, registrations } = parts;
  const calls = await openCalls({ db, relay, clock });
  const voicemails = await openVoicemails({ db, relay, clock });
  const inDatabase = await openBlobs(db, 'recordings');
  const stored = config.RECORDINGS_S3 ? layeredBlobs(s3Blobs(config.RECORDINGS_S3), inDatabase) : inDatabase;
  const blobs = encryptedBlobs(stored, fileSealer(config.ENCRYPTION_KEY));
  const usages = await openCallUsages({ db, relay, clock });
  const admissions = callAdmissions({ usages, calls, clock, machineClock: systemClock, telemetry });
  const runner = noteEnds(callRunner(calls, clock), (call) => admissions.ended(call));
  const signer = recordingSigner(config.ENCRYPTION_KEY, config.PUBLIC_URL);
  const listenings = await openListenings({ db, relay, clock, calls, voicemails });
  lifecycle.defer('listenings', () => listenings.stop());
  const speech = speechClient(parts.speech, blobs);
  const texts = encryptor(config.ENCRYPTION_KEY);
  const transcripts = await openTranscripts(db, texts);
  const sealedVoicemails = voicemailTexts(texts);
  const search = await openSearch({
    db,
    speech,
    callerText: callerTextClient(parts.directory, log),
    wordKeys: searchWordKeys(config.ENCRYPTION_KEY),
    log,
  });
  const notes = noteStorage(texts, config.ENCRYPTION_KEY);
  const views = callViews({ calls, transcripts, signer, notes, clock });
  const transcriptions = await startTranscriptions({
    db,
    relay,
    clock,
    calls,
    runner,
    voicemails,
    voicemailTexts: sealedVoicemails,
    transcripts,
    search,
    speech,
  });
  lifecycle.defer('transcriptions', () => transcriptions.stop());
  const removals = voicemails.startCommands({
    remove_audio: {
      guarantee: 'until_confirmed',
      async execute({ callId, recording }, { companyId }) {
        // First: audio that arrives after this is not kept.
        await runner.apply({ companyId, id: callId }, { type: 'voicemail_deleted', recording });
        await blobs.remove(recording);
      },
    },
  });
  lifecycle.defer('removal of voicemails', () => removals.stop());
  const holdingOthers = holdOthers(runner);
  const dispatch = employeeDispatch({ calls, runner, presences, clock });
  const companyOf = companyClient(parts.directory);
  const countryOf: CountryOf = async (companyId) => (await companyOf(companyId))?.country;
  const routing = routingClient(parts.numbersRouting);
  const prompts = promptClient(parts.numbersRouting);
  parts.statusListeners.add((change) => dispatch.onStatus(change));

  let nudge = () => {};
  const linked = config.SWITCHES.map(({ name, address, recordingsDir }) => {
    const onUp = async () => nudge();
    const link = openSwitchLink({
      name,
      address,
      subscription: COMMAND_SUBSCRIPTION,
      machineClock: systemClock,
      log,
      onUp,
    });
    lifecycle.defer(`link to switch ${name}`, () => link.stop());
    lifecycle.addCheck({ name: `switch ${name}`, optional: true, check: () => link.isUp });
    const mediaUrls = { httpUrl: config.SWITCH_HTTP_URL, recordingsDir };
    return switchClient({ name, link, mediaUrls, sipDomain: config.SIP_DOMAIN, newJobId: randomUUID });
  });
  const switches = switchesByName(linked);
  observeSwitches(runtime, linked);

  const saveVoicemail = saveVoicemailIn(voicemails, clock);
  const commands = startCallCommands({
    calls,
    switches,
    carriers: config.CARRIERS,
    presences,
    dispatch,
    tellPlaces: tellPlaces({ calls, runner }),
    replaceCallbacks: replaceCallbacks({ calls, runner }),
    holdOthers: holdingOthers,
    saveVoicemail,
    withdrawVoicemail: withdrawVoicemailFrom(voicemails),
    preparePrompt: prompts.prepare,
    keyPrompt: routing.keyPrompt,
    permitOutside: permitOutside({ companyOf, routing, admissions }),
    lookUpCaller: callerLookupClient(parts.directory),
    onLookUpError: (error) => log.warn({ err: error }, 'a caller was not looked up'),
  });
  nudge = () => commands.nudge();
  lifecycle.defer('call commands', () => commands.stop());
  const carriers = config.CARRIERS.length;
  const arrivals = callArrivals({ calls, routing, presences, companyOf, admissions, carriers, clock, log });
  const legEvents = createLegEventHandler({ calls, runner, arrivals, backgroundWork, telemetry });
  const onPhoneLost = lostPhones({ calls, runner, presences });
  const onUndialable = undialablePhones(telemetry);
  const leases = await openSwitchLeases({
    db,
    machineClock: systemClock,
    identity: processIdentity(processFacts()),
    leaseMs: SWITCH_LEASE_MS,
  });
  const contacts = await openSwitchContacts({ db, machineClock: systemClock });
  const repairs = telemetry.meter.createCounter('parley_call_legs_repaired_total');
  const readers = config.SWITCHES.map(({ name, address }) => {
    const at = switches.get(name);
    const shared = { leases, contacts, calls, legEvents, registrations, onPhoneLost, clock, log };
    const reader = startSwitchReader({
      ...shared,
      machineClock: systemClock,
      onUndialable,
      switch: at,
      address,
      sipDomain: config.SIP_DOMAIN,
      onRepaired: (legs) => repairs.add(legs, { switch: name }),
    });
    lifecycle.defer(`reader of switch ${name}`, () => reader.stop());
    return { name, reader };
  });
  const timers = calls.startTimers(
    Object.fromEntries(
      CALL_TIMERS.map((name) => [name, (call, now) => decideCall(call, { type: 'timer', name }, now)]),
    ) as Parameters<Calls['startTimers']>[0],
    // Those of a switch that is not configured any more need not wait for it.
    { mayFire: ({ switch: at }) => readers.find(({ name }) => name === at.name)?.reader.mayFireTimers ?? true },
  );
  lifecycle.defer('call timers', () => timers.stop());
  const ownedSwitches = () => readers.filter(({ reader }) => reader.isOwner).map(({ name }) => name);
  const lostSwitches = createLostSwitches({
    contacts,
    calls,
    runner,
    switches: linked,
    lostMs: config.SWITCH_LOST_SECS * 1000,
    machineClock: systemClock,
    log,
  });
  const maintenance = startCallMaintenance({
    calls,
    runner,
    presences,
    dispatch,
    lostSwitches,
    ownedSwitches,
    clock,
    log,
  });
  lifecycle.defer('maintenance of calls', () => maintenance.stop());

  if (config.SWITCH_LISTEN !== undefined) {
    const refusedRecordings = telemetry.meter.createCounter('parley_recordings_refused_total');
    const http = await startSwitchHttp({
      listen: config.SWITCH_LISTEN,
      secrets: new Map(config.SWITCHES.map(({ name, httpSecret }) => [name, httpSecret])),
      directory: parts.switchDirectory,
      prompts,
      recordings: receiveRecording({
        calls,
        runner,
        blobs,
        transcriptions,
        onRefused: (status) => refusedRecordings.add(1, { status }),
      }),
      log,
    });
    lifecycle.listening('switches', config.SWITCH_LISTEN);
    lifecycle.defer('http for switches', () => http.stop());
  }
  const shown = { calls, transcripts, transcriptions, voicemails, voicemailTexts: sealedVoicemails };
  const placing = { routing, companyOf, admissions, carriers };
  return {
    ...shown,
    ...placing,
    notes,
    runner,
    holdOthers: holdingOthers,
    switches,
    countryOf,
    views,
    search,
    blobs,
    signer,
    listenings,
  };
}

/** 1 while a switch can be reached; the alert is on 0. */
function observeSwitches({ telemetry }: ServiceRuntime, linked: readonly Switch[]): void {
  telemetry.meter
    .createObservableGauge('parley_switch_reachable')
    .addCallback((result) =>
      linked.forEach(({ name, isReachable }) => result.observe(isReachable ? 1 : 0, { switch: name })),
    );
}
