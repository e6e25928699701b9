import { movableClock } from '@parley/clock';
import { createApi, createApp, listenHttp } from '@parley/http';
import { type Lifecycle, openRuntime, openBroker } from '@parley/service';
import { createClockControl } from './clock/clock-control.ts';
import { natsClockMembers } from './clock/nats-clock-members.ts';
import { clockRoutes } from './clock/routes.ts';
import { type Config, hostAndPort } from './config.ts';
import { createFaultSwitches } from './faults/faults.ts';
import { faultRoutes } from './faults/routes.ts';
import { createHooks } from './hooks/hooks.ts';
import { hookRoutes } from './hooks/routes.ts';
import { createRecords } from './integrations/records.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { createMailBox } from './mail/mail-box.ts';
import { mailRoutes } from './mail/routes.ts';
import { listenSmtp } from './mail/smtp.ts';
import { openTelephony } from './telephony/open-telephony.ts';
import { smsProviderRoutes } from './messages/sms-provider-routes.ts';

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
  const mailBox = createMailBox();

  const smtp = await listenSmtp(hostAndPort(config.SMTP_LISTEN), mailBox, log);
  lifecycle.defer('smtp', () => smtp.stop());

  const routes = [
    ...hookRoutes({ hooks, clock }),
    ...clockRoutes({ clock, control }),
    ...faultRoutes({ faults }),
    ...integrationRoutes({ records, faults }),
    ...mailRoutes({ mailBox }),
    ...(telephony?.endpoints ?? []),
    ...smsProviderRoutes(config, { faults, clock }),
  ];
  const api = createApi({ prefix: '', endpoints: routes });
  const http = await listenHttp(createApp({ apis: [api], log }), config.SANDBOX_LISTEN);
  lifecycle.listening('http', http.address);
  lifecycle.defer('http', () => http.close(CLOSE_LIMIT_MS));
}
