import type { Service } from '@parley/service';
import type { SmsProviderSecrets } from './secrets.ts';

/** A FreeSWITCH with the configuration of `deploy/freeswitch`. */
export interface RealSwitch {
  /** The address of its event socket: `esl://user:password@host:port`. */
  readonly url: string;
  /** The address on which call-control listens for it, and the one under which it reaches that; both on loopback by default. */
  readonly listen?: string;
  readonly httpUrl?: string;
  /** The folder of its recordings. */
  readonly recordingsDir?: string;
  /** Several of them, as call-control's `SWITCHES`. */
  readonly all?: string;
}

/** The values from which the settings of a service are derived. */
export interface StackFacts {
  readonly publicUrl: string;
  readonly publicListen: string;
  readonly operatorListen: string;
  readonly operatorToken: string;
  readonly sandboxUrl: string;
  readonly sandboxListen: string;
  readonly sandboxPort: number;
  readonly smtpListen: string;
  /** The event socket of the sandbox's switch, and its password. */
  readonly eventSocketListen: string;
  readonly eventSocketPassword: string;
  /** call-control's port for switches, and the secret of the sandbox's switch there. */
  readonly switchListen: string;
  readonly switchHttpUrl: string;
  readonly switchSecret: string;
  /** The folder of the sandbox switch's files. */
  readonly switchFilesDir: string;
  /** Takes the place of the sandbox's switch. */
  readonly realSwitch?: RealSwitch | undefined;
  readonly smsProvider: SmsProviderSecrets;
  /** The folder of the built dashboard. */
  readonly dashboardDir: string;
}

/** The name of a real switch at call-control. */
export const REAL_SWITCH_NAME = 'freeswitch';

/** One service of the stack. */
export interface LocalService {
  readonly name: string;
  readonly hasDatabase: boolean;
  /** Its code, for running it with others in one process. */
  readonly load: () => Promise<{ service: Service<any> }>;
  /** Settings that only this service has. */
  readonly settings?: (facts: StackFacts) => Record<string, string>;
}

function sandboxSwitch({ eventSocketPassword, eventSocketListen, switchSecret, sandboxUrl }: StackFacts) {
  const url = `esl://call-control:${eventSocketPassword}@${eventSocketListen}`;
  return {
    SWITCHES: JSON.stringify([{ name: 'sandbox', url, secret: switchSecret }]),
    CARRIERS: JSON.stringify([
      {
        name: 'sandbox',
        dial: 'sofia/external/{number}@carrier.invalid',
        emergency_address_header: 'X-Emergency-Address',
      },
    ]),
    SIP_WEBSOCKET_URL: sandboxSipUrl(sandboxUrl),
  };
}

const sandboxSipUrl = (sandboxUrl: string): string => new URL('/sip', sandboxUrl.replace(/^http/, 'ws')).href;

/** Its carriers are set by the user. */
function namedSwitch({ switchSecret }: StackFacts, { url, recordingsDir, all }: RealSwitch) {
  if (all !== undefined) return { SWITCHES: all };
  const place = { name: REAL_SWITCH_NAME, url, secret: switchSecret, recordings_dir: recordingsDir };
  return { SWITCHES: JSON.stringify([place]) };
}

/** Every service, in the order of their start: dependencies first. */
export const services: readonly LocalService[] = [
  {
    name: 'sandbox',
    hasDatabase: false,
    load: () => import('@parley/sandbox'),
    settings: (facts) => ({
      SANDBOX_LISTEN: facts.sandboxListen,
      SMTP_LISTEN: facts.smtpListen,
      PUBLIC_URL: facts.publicUrl,
      EVENT_SOCKET_LISTEN: facts.eventSocketListen,
      EVENT_SOCKET_PASSWORD: facts.eventSocketPassword,
      SWITCH_HTTP_URL: facts.switchHttpUrl,
      SWITCH_HTTP_CREDENTIALS: `sandbox:${facts.switchSecret}`,
      SWITCH_FILES_DIR: facts.switchFilesDir,
      TELNYX_SIGNING_KEY: facts.smsProvider.signingKey,
    }),
  },
  {
    name: 'speech',
    hasDatabase: false,
    load: () => import('@parley/speech'),
    settings: ({ sandboxUrl }) => ({ SANDBOX_URL: sandboxUrl, MODELS_FETCH: 'at_start' }),
  },
  {
    name: 'identity',
    hasDatabase: true,
    load: () => import('@parley/identity'),
    settings: ({ smtpListen, publicUrl }) => ({ SMTP_URL: `smtp://${smtpListen}`, PUBLIC_URL: publicUrl }),
  },
  {
    name: 'directory',
    hasDatabase: true,
    load: () => import('@parley/directory'),
    settings: ({ sandboxUrl }) => ({ SANDBOX_URL: sandboxUrl }),
  },
  {
    name: 'numbers-routing',
    hasDatabase: true,
    load: () => import('@parley/numbers-routing'),
    settings: ({ publicUrl }) => ({ PUBLIC_URL: publicUrl }),
  },
  {
    name: 'call-control',
    hasDatabase: true,
    load: () => import('@parley/call-control'),
    settings: (facts) => ({
      PUBLIC_URL: facts.publicUrl,
      SWITCH_LISTEN: facts.switchListen,
      SWITCH_HTTP_URL: facts.switchHttpUrl,
      ...(facts.realSwitch === undefined ? sandboxSwitch(facts) : namedSwitch(facts, facts.realSwitch)),
    }),
  },
  {
    name: 'messaging-inbox',
    hasDatabase: true,
    load: () => import('@parley/messaging-inbox'),
    settings: ({ publicUrl, sandboxUrl, smsProvider }) => ({
      PUBLIC_URL: publicUrl,
      SANDBOX_URL: sandboxUrl,
      TELNYX_API_URL: sandboxUrl,
      TELNYX_API_KEY: smsProvider.apiKey,
      TELNYX_PUBLIC_KEY: smsProvider.publicKey,
    }),
  },
  {
    name: 'webhooks',
    hasDatabase: true,
    load: () => import('@parley/webhooks'),
    settings: ({ sandboxPort }) => ({
      ALLOWED_ORIGINS: `http://127.0.0.1:${sandboxPort},http://localhost:${sandboxPort}`,
    }),
  },
  {
    name: 'reports',
    hasDatabase: true,
    load: () => import('@parley/reports'),
  },
  {
    name: 'assistant',
    hasDatabase: true,
    load: () => import('@parley/assistant'),
    settings: ({ sandboxPort }) => ({
      ASSISTANT_ALLOWED_ORIGINS: `http://127.0.0.1:${sandboxPort},http://localhost:${sandboxPort}`,
    }),
  },
  {
    name: 'gateway',
    hasDatabase: false,
    load: () => import('@parley/gateway'),
    settings: ({ publicListen, publicUrl, operatorListen, operatorToken, sandboxUrl, realSwitch, dashboardDir }) => ({
      SANDBOX_URL: sandboxUrl,
      ...(realSwitch === undefined && { SIP_WEBSOCKET_URL: sandboxSipUrl(sandboxUrl) }),
      PUBLIC_LISTEN: publicListen,
      PUBLIC_URL: publicUrl,
      PUBLIC_HOSTS: '127.0.0.1,localhost',
      OPERATOR_LISTEN: operatorListen,
      OPERATOR_TOKEN: operatorToken,
      DASHBOARD_DIR: dashboardDir,
    }),
  },
];

export const serviceNames: readonly string[] = services.map(({ name }) => name);
