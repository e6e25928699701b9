import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenHttp } from '@parley/http';
import { createLog } from '@parley/telemetry';
import { BrowserPhones, type BrowserPhonesOptions } from '../src/browser-phones/browser-phones.ts';
import { foreignPage } from '../src/foreign-pages.ts';
import { phoneDirectory } from '../src/browser-phones/phone-directory.ts';
import { EventSocketClient } from './event-socket-client.ts';
import { md5 } from './sip-over-websocket.ts';
import { PASSWORD, startNetwork, type TestNetwork } from './start-network.ts';

export const DOMAIN = 'parley.invalid';
/** The only pages that may connect. */
export const PAGE_ORIGIN = 'http://127.0.0.1:18080';

export interface TestBrowserPhones {
  readonly test: TestNetwork;
  readonly events: EventSocketClient;
  /** The address of the WebSocket. */
  readonly url: string;
  /** A page of the same server. */
  readonly pageUrl: string;
  /** The forms that call-control's directory was asked with. */
  readonly asked: readonly URLSearchParams[];
  /** The addresses at which the user can be rung. */
  contacts(user: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** A telephone network for browsers, with a directory that knows these users and their passwords. */
export async function startBrowserPhones(
  passwords: Readonly<Record<string, string>>,
  lifetime?: BrowserPhonesOptions['lifetime'],
): Promise<TestBrowserPhones> {
  const test = await startNetwork();
  const asked: URLSearchParams[] = [];
  const directory = createServer((request, response) => {
    let form = '';
    request.on('data', (chunk: Buffer) => (form += chunk.toString()));
    request.on('end', () => {
      const fields = new URLSearchParams(form);
      asked.push(fields);
      response.end(directoryResponse(fields.get('user') ?? '', passwords));
    });
  });
  const browserPhones = new BrowserPhones({
    network: test.network,
    directory: phoneDirectory({
      url: `http://${await listen(directory)}`,
      credentials: 'sandbox:secret',
      domain: DOMAIN,
    }),
    domain: DOMAIN,
    log: createLog({ service: 'sandbox', level: 'silent' }),
    ...(lifetime && { lifetime }),
  });
  const http = await listenHttp((_request, response) => response.end(), '127.0.0.1:0');
  browserPhones.listenTo(http, foreignPage({ names: [], anyAddress: false }, new Set([PAGE_ORIGIN])));
  const url = `ws://${http.address}/sip`;
  const events = await EventSocketClient.open(test.port, PASSWORD);
  return {
    test,
    events,
    url,
    pageUrl: `http://${http.address}/`,
    asked,
    async contacts(user) {
      const text = await events.api(`sofia_contact internal/${user}@${DOMAIN}`);
      return text === 'error/user_not_registered' ? [] : text.split(',');
    },
    async stop() {
      events.close();
      browserPhones.stop();
      await http.close(0);
      directory.close();
      directory.closeAllConnections();
      await test.stop();
    },
  };
}

function directoryResponse(user: string, passwords: Readonly<Record<string, string>>): string {
  const password = passwords[user];
  if (password === undefined)
    return '<document><section name="result"><result status="not found"/></section></document>';
  const a1 = md5(`${user}:${DOMAIN}:${password}`);
  return `<document><section><domain><user id="${user}"><params><param name="a1-hash" value="${a1}"/></params>
    <variables><variable name="employee_id" value="${user}"/></variables></user></domain></section></document>`;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
