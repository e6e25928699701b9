import { cachedAnswers } from '@parley/events';
import { systemClock } from '@parley/clock';
import { derivedKey } from '@parley/secrets';
import type { RunningCommands } from '@parley/aggregates';
import { callAdmissions } from './call-usage/call-admissions.ts';
import { openCallUsages } from './call-usage/call-usage-store.ts';
import { decideCall } from './calls/decide/decide-call.ts';
import { CALL_TIMERS, type CallCommand, type CommandResult } from './calls/model/call-command.ts';
import { callRunner } from './calls/store/call-runner.ts';
import { type Calls, openCalls } from './calls/store/call-store.ts';
import { assistantSessions } from './clients/assistant-client.ts';
import { callerLookupClient, companyClient, type CountryOf } from './clients/company-client.ts';
import { routingClient } from './clients/routing-client.ts';
import type { Config } from './config.ts';
import { employeeDispatch } from './dispatch/employee-dispatch.ts';
import { openCallContent, type OpenedService } from './open-call-content.ts';
import type { Presences } from './presence/presence-store.ts';
import type { Registrations } from './presence/registrations.ts';
import { openSwitches } from './switch/connection/open-switches.ts';
import { promptClient } from './switch/http/prompt-client.ts';
import { serveSwitches } from './switch/http/start-switch-http.ts';
import { startCallMaintenance } from './switch/reader/start-call-maintenance.ts';
import { startSwitchReaders } from './switch/reader/start-switch-readers.ts';
import { type AssistantCommandDeps, assistantCommands } from './switch/commands/assistant-commands.ts';
import { type AudioCommandDeps, promptCommands, recordingCommands } from './switch/commands/audio-commands.ts';
import { trunkTickets } from './switch/trunks/trunk-ticket.ts';
import { type LegCommandDeps, legCommands } from './switch/commands/leg-commands.ts';
import { callerCommands, employeeCommands, type QueueCommandDeps } from './switch/commands/queue-commands.ts';

/** What changes the answers about companies and numbers. */
const ANSWER_EVENTS = ['directory.company.*', 'directory.integration.*', 'numbers-routing.number.*'];

interface StartCallsDeps {
  readonly presences: Presences;
  readonly registrations: Registrations;
  /** Answers `POST /switch/directory`. */
  readonly switchDirectory: (form: string) => Promise<string>;
}

/** Starts everything that calls need: switches, commands, timers, and the HTTP interface for switches. */
export async function startCalls(
  service: OpenedService,
  config: Config,
  { presences, registrations, switchDirectory }: StartCallsDeps,
) {
  const { db, relay, clock, peers, runtime, stopLater, telemetry } = service;
  const { SWITCHES, SIP_DOMAIN: sipDomain, SWITCH_HTTP_URL: httpUrl, SWITCH_LISTEN: listen } = config;
  const calls = await openCalls({ db, relay, clock });
  const usages = await openCallUsages({ db, relay, clock });
  const admissions = callAdmissions({ usages, calls, clock, machineClock: systemClock, telemetry });
  const runner = callRunner({ calls, clock, onCallEnded: (call) => admissions.ended(call) });
  const content = await openCallContent(service, config, { calls, runner });
  const dispatch = employeeDispatch({ calls, runner, presences, clock });
  const switches = openSwitches(runtime, { switches: SWITCHES, httpUrl, sipDomain });
  const clients = await openClients(service, config);
  const tickets = trunkTickets(config.ENCRYPTION_KEY, systemClock);
  const deps = { ...content, ...clients, calls, runner, presences, admissions, dispatch, switches, tickets, clock };
  const prompts = promptClient(peers.numbersRouting);
  const commands = startCallCommands({
    ...deps,
    carriers: config.CARRIERS,
    preparePrompt: prompts.prepare,
    keyPrompt: clients.routing.keyPrompt,
    sessions: assistantSessions(peers.assistant, telemetry.log),
    lookUpCaller: callerLookupClient(peers.directory),
    onLookUpError: (error) => telemetry.log.warn({ err: error }, 'a caller was not looked up'),
  });
  switches.onConnected(() => commands.pollNow());
  stopLater('call commands', commands);
  const placing = { ...deps, carriers: config.CARRIERS.length };
  const idKey = derivedKey(config.ENCRYPTION_KEY[0]!, 'parley call ids');
  let onReconciled = () => {};
  const readers = await startSwitchReaders(
    runtime,
    { switches: SWITCHES, sipDomain, lostSecs: config.SWITCH_LOST_SECS },
    { ...placing, idKey, db, registrations, onReconciled: () => onReconciled() },
  );
  const timers = startCallTimers(calls, readers.mayFireTimers);
  onReconciled = () => timers.pollNow();
  stopLater('call timers', timers);
  stopLater('maintenance of calls', startCallMaintenance({ ...deps, readers, log: telemetry.log }));
  if (listen !== undefined)
    await serveSwitches(runtime, { listen, switches: SWITCHES }, { ...deps, switchDirectory, prompts });
  return { ...placing, drains: readers.drains };
}

/** Answers of other services about companies and numbers. */
async function openClients({ broker, peers }: OpenedService, { PEER_CACHE_MS: cachedMs }: Config) {
  const answers = await cachedAnswers(broker, { events: ANSWER_EVENTS, cachedMs });
  const companyOf = companyClient(peers.directory, answers);
  const countryOf: CountryOf = async (companyId) => (await companyOf(companyId))?.country;
  return { companyOf, countryOf, routing: routingClient(peers.numbersRouting, answers) };
}

/** `mayFire` decides by the switch of a call whether its timers may fire in this process. */
function startCallTimers(calls: Calls, mayFire: (switchName: string) => boolean): ReturnType<Calls['startTimers']> {
  const handlers = Object.fromEntries(
    CALL_TIMERS.map((name) => [name, (call, now) => decideCall(call, { type: 'timer', name }, now)]),
  ) as Parameters<Calls['startTimers']>[0];
  return calls.startTimers(handlers, { mayFire: (call) => mayFire(call.switch.name) });
}

const CONCURRENCY = 64;
/** The state must equal the switch's within five seconds, also of calls whose process crashed. */
const LEASE_MS = 3000;

/** Executes the stored commands of calls. */
function startCallCommands(
  deps: LegCommandDeps & AudioCommandDeps & QueueCommandDeps & AssistantCommandDeps,
): RunningCommands {
  return deps.calls.startCommands<Record<CallCommand['kind'], CommandResult>>(
    {
      ...legCommands(deps),
      ...promptCommands(deps),
      ...recordingCommands(deps),
      ...assistantCommands(deps),
      ...callerCommands(deps),
      ...employeeCommands(deps),
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
}
