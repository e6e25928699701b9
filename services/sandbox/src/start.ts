import { movableClock } from '@parley/clock';
import { createApi, createApp, listenHttp } from '@parley/http';
import { type Lifecycle, openBroker, openRuntime } from '@parley/service';
import { createClockControl } from './clock/clock-control.ts';
import { natsClockMembers } from './clock/nats-clock-members.ts';
import { clockEndpoints } from './clock/clock-endpoints.ts';
import { type Config, hostAndPort } from './config.ts';
import { allowOrigins, ownOrigins } from './cross-origin.ts';
import { createFaultSwitches } from './faults/faults.ts';
import { faultEndpoints } from './faults/fault-endpoints.ts';
import { foreignPage, refuseForeignPages } from './foreign-pages.ts';
import { createHooks } from './hooks/hooks.ts';
import { hookEndpoints } from './hooks/hook-endpoints.ts';
import { createRecords } from './integrations/records.ts';
import { integrationEndpoints } from './integrations/integration-endpoints.ts';
import { modelEndpoints } from './llm/model-endpoints.ts';
import { createScriptedModels } from './llm/scripted-models.ts';
import { createMailbox, listenSmtp, mailEndpoints } from './mail/mailbox.ts';
import { createScriptedServers } from './servers/scripted-servers.ts';
import { respondAsScripted, serverEndpoints } from './servers/server-endpoints.ts';
import { smsProviderRoutes } from './messages/routes.ts';
import { openTelephony } from './open-telephony.ts';

/** A webhook receiver may hold requests for minutes; nothing here is worth waiting for at the end. */
const CLOSE_LIMIT_MS = 500;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  // The sandbox moves the clock; it does not follow it.
  const runtime = await openRuntime('sandbox', { ...config, TEST_CLOCK: 'off' }, lifecycle);
  const { log } = runtime.telemetry;
  const broker = await openBroker(runtime, config);

  const clock = movableClock();
  const members = natsClockMembers({ broker, offsetMs: () => clock.offsetMs(), log });
  lifecycle.defer('members of the test clock', () => members.stop());

  const hooks = createHooks();
  const faults = createFaultSwitches();
  const telephony = await openTelephony({ runtime, config, clock, faults });
  const control = createClockControl({ clock, members, network: telephony?.network });
  const records = createRecords();
  const mailbox = createMailbox();
  const servers = createScriptedServers();

  const smtp = await listenSmtp(hostAndPort(config.SMTP_LISTEN), mailbox, log);
  lifecycle.defer('smtp', () => smtp.stop());

  const endpoints = [
    ...hookEndpoints({ hooks, clock }),
    ...clockEndpoints({ clock, control }),
    ...faultEndpoints({ faults }),
    ...integrationEndpoints({ records, faults }),
    ...mailEndpoints({ mailbox }),
    ...serverEndpoints({ servers }),
    ...modelEndpoints({ models: createScriptedModels(), clock }),
    ...(telephony?.endpoints ?? []),
    ...smsProviderRoutes(config, { faults, clock }),
  ];
  const api = createApi({ prefix: '', endpoints });
  const origins = ownOrigins(config.PUBLIC_URL);
  const hosts = {
    names: [hostAndPort(config.SANDBOX_LISTEN).host, ...config.SANDBOX_HOSTS],
    anyAddress: config.SANDBOX_ALLOW_REMOTE === 'on',
  };
  const foreign = foreignPage(hosts, origins);
  const middleware = [refuseForeignPages(foreign), allowOrigins(origins)];
  const http = await listenHttp(
    createApp({ middleware, apis: [api], routers: [respondAsScripted(servers)], log }),
    config.SANDBOX_LISTEN,
    { log },
  );
  telephony?.browserPhones?.listenTo(http, foreign);
  lifecycle.listening('http', http.address);
  lifecycle.defer('http', () => http.close(CLOSE_LIMIT_MS));
}
