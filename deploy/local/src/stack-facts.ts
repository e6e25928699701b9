import path from 'node:path';
import type { Ports } from './ports.ts';
import type { Secrets } from './secrets.ts';
import type { RealSwitch, StackFacts } from './services.ts';

/** For servers on this machine. */
export function stackFacts(given: {
  ports: Ports;
  secrets: Secrets;
  smtpPort: number;
  eventSocketPort: number;
  dataDir: string;
  dashboardDir: string;
  realSwitch: RealSwitch | undefined;
}): StackFacts {
  const { ports, secrets, smtpPort, eventSocketPort, dataDir, dashboardDir, realSwitch } = given;
  return {
    publicUrl: `http://127.0.0.1:${ports.public}`,
    publicListen: `127.0.0.1:${ports.public}`,
    operatorListen: `127.0.0.1:${ports.operator}`,
    operatorToken: secrets.operatorToken,
    sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
    sandboxListen: `127.0.0.1:${ports.sandbox}`,
    sandboxPort: ports.sandbox,
    smtpListen: `127.0.0.1:${smtpPort}`,
    eventSocketListen: `127.0.0.1:${eventSocketPort}`,
    eventSocketPassword: secrets.eventSocketPassword,
    switchListen: realSwitch?.listen ?? `127.0.0.1:${ports.switch}`,
    switchHttpUrl: realSwitch?.httpUrl ?? `http://127.0.0.1:${ports.switch}`,
    switchSecret: secrets.switchSecret,
    switchFilesDir: path.join(dataDir, 'switch'),
    smsProvider: secrets.smsProvider,
    dashboardDir,
    realSwitch,
  };
}
