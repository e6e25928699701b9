import { startService } from '@parley/service';
import { freePort, type TestNats } from '@parley/testkit';
import { service } from '../src/index.ts';

/** An answer of the sandbox, read to its end. */
export interface Answered {
  status: number;
  headers: Headers;
  // `any`: tests compare it with expected values.
  body: any;
}

export interface TestSandbox {
  url: string;
  smtpPort: number;
  /** Sends JSON, or text unchanged, and reads JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  stop(): Promise<void>;
}

/** The test clock's subjects are one set per prefix: two sandboxes of the same one would share them. */
export async function startSandbox(
  nats: TestNats,
  prefix = 'parley',
  settings: Record<string, string> = {},
): Promise<TestSandbox> {
  const [httpPort, smtpPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${httpPort}`;
  const running = await startService(service, {
    LOG_LEVEL: 'silent',
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.password,
    NATS_PREFIX: prefix,
    SANDBOX_LISTEN: `127.0.0.1:${httpPort}`,
    SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
    ...settings,
  });
  return {
    url,
    smtpPort,
    async ask(method, path, body, headers) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        ...(typeof body === 'string' && { body, headers: { 'content-type': 'text/plain', ...headers } }),
        ...(typeof body === 'object' && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    stop: () => running.stop(),
  };
}
