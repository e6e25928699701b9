import { cachedAnswers } from '@parley/events';
import { systemClock } from '@parley/clock';
import { derivedKey } from '@parley/secrets';
import { callAdmissions } from './call-usage/call-admissions.ts';
import { openCallUsages } from './call-usage/call-usage-store.ts';
import { callRunner } from './calls/store/call-runner.ts';
import { openCalls, type Calls } from './calls/store/call-store.ts';
import { callerLookupClient, companyClient, type CountryOf } from './clients/company-client.ts';
import { routingClient } from './clients/routing-client.ts';
import type { Config } from './config.ts';
import { openDispatch } from './dispatch/open-dispatch.ts';
import { startCallMaintenance } from './switch/reader/start-call-maintenance.ts';
import { openCallContent } from './open-call-content.ts';
import type { Presences } from './presence/presence-store.ts';
import type { Registrations } from './presence/registrations.ts';
import type { StatusListeners } from './presence/status-listeners.ts';
import type { OpenedService } from './opened-service.ts';
import { permitCallback } from './switch/commands/permit-callback.ts';
import { permitOutside } from './switch/commands/permit-outside.ts';
import { startCallCommands } from './switch/commands/start-call-commands.ts';
import { openSwitches } from './switch/connection/open-switches.ts';
import { promptClient } from './switch/http/prompt-client.ts';
import { serveSwitches } from './switch/http/serve-switches.ts';
import { startSwitchReaders } from './switch/reader/start-switch-readers.ts';
import { saveVoicemailIn, withdrawVoicemailFrom } from './voicemails/voicemail-store.ts';
import { decideCall } from './calls/decide/decide-call.ts';
import { CALL_TIMERS } from './calls/model/call-command.ts';

/** What changes the answers about companies and numbers. */
const ANSWER_EVENTS = ['directory.company.*', 'directory.integration.*', 'numbers-routing.number.*'];

interface StartCallsDeps {
  readonly presences: Presences;
  readonly registrations: Registrations;
  readonly statusListeners: StatusListeners;
  /** Answers `POST /switch/directory`. */
  readonly switchDirectory: (form: string) => Promise<string>;
}

/** Starts everything that calls need: switches, commands, timers, and the HTTP interface for switches. */
export async function startCalls(service: OpenedService, config: Config, deps: StartCallsDeps) {
  const { db, relay, clock, peers, stopLater } = service;
  const { log } = service.telemetry;
  const { presences, registrations, statusListeners, switchDirectory } = deps;
  const { SWITCHES, SIP_DOMAIN: sipDomain, SWITCH_HTTP_URL: httpUrl, SWITCH_LISTEN: listen } = config;
  const calls = await openCalls({ db, relay, clock });
  const usages = await openCallUsages({ db, relay, clock });
  const admissions = callAdmissions({ usages, calls, clock, machineClock: systemClock, telemetry: service.telemetry });
  const runner = callRunner({ calls, clock, onCallEnded: (call) => admissions.ended(call) });
  const content = await openCallContent(service, config, { calls, runner });
  const { voicemails } = content;
  const dispatching = openDispatch({ calls, runner, presences, clock });
  const { dispatch, holdOthers } = dispatching;
  const answers = await cachedAnswers(service.broker, { events: ANSWER_EVENTS, cachedMs: config.PEER_CACHE_MS });
  const companyOf = companyClient(peers.directory, answers);
  const countryOf: CountryOf = async (companyId) => (await companyOf(companyId))?.country;
  const routing = routingClient(peers.numbersRouting, answers);
  const prompts = promptClient(peers.numbersRouting);
  statusListeners.add((change) => dispatch.onStatus(change));

  const switches = openSwitches(service.runtime, { switches: SWITCHES, httpUrl, sipDomain });
  const commands = startCallCommands({
    calls,
    switches,
    carriers: config.CARRIERS,
    presences,
    ...dispatching,
    saveVoicemail: saveVoicemailIn(voicemails, clock),
    withdrawVoicemail: withdrawVoicemailFrom(voicemails),
    preparePrompt: prompts.prepare,
    keyPrompt: routing.keyPrompt,
    permitOutside: permitOutside({ companyOf, routing, admissions }),
    permitCallback: permitCallback({ companyOf, calls }),
    lookUpCaller: callerLookupClient(peers.directory),
    onLookUpError: (error) => log.warn({ err: error }, 'a caller was not looked up'),
  });
  switches.onConnected(() => commands.pollNow());
  stopLater('call commands', commands);
  const placing = { routing, companyOf, admissions, carriers: config.CARRIERS.length };
  const idKey = derivedKey(config.ENCRYPTION_KEY[0]!, 'parley call ids');
  const onceReconciled: (() => void)[] = [];
  const onReconciled = () => onceReconciled.forEach((listener) => listener());
  const readers = await startSwitchReaders(
    service.runtime,
    { switches: SWITCHES, sipDomain, lostSecs: config.SWITCH_LOST_SECS },
    { ...placing, idKey, db, clock, calls, runner, presences, registrations, switches, onReconciled },
  );
  const timers = startCallTimers(calls, readers.mayFireTimers);
  onceReconciled.push(() => timers.pollNow());
  stopLater('call timers', timers);
  const { lostSwitches, owned: ownedSwitches, withCalls: switchesWithCalls } = readers;
  stopLater(
    'maintenance of calls',
    startCallMaintenance({
      calls,
      runner,
      presences,
      dispatch,
      lostSwitches,
      ownedSwitches,
      switchesWithCalls,
      clock,
      log,
    }),
  );
  if (listen !== undefined) {
    const served = { calls, runner, blobs: content.blobs, transcriptions: content.transcriptions };
    await serveSwitches(service.runtime, { listen, switches: SWITCHES }, { ...served, switchDirectory, prompts });
  }
  return { ...content, ...placing, calls, runner, holdOthers, switches, countryOf };
}

/** `mayFire` decides by the switch of a call whether its timers may fire in this process. */
function startCallTimers(calls: Calls, mayFire: (switchName: string) => boolean): ReturnType<Calls['startTimers']> {
  const handlers = Object.fromEntries(
    CALL_TIMERS.map((name) => [name, (call, now) => decideCall(call, { type: 'timer', name }, now)]),
  ) as Parameters<Calls['startTimers']>[0];
  return calls.startTimers(handlers, { mayFire: (call) => mayFire(call.switch.name) });
}
