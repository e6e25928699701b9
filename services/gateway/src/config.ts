import path from 'node:path';
import { baseSettings, commaList, httpUrl, listenAddress, natsSettings, rpcSettings } from '@parley/service';
import { z } from 'zod';

export const config = z.object({
  ...baseSettings,
  ...rpcSettings,
  ...natsSettings,
  PUBLIC_LISTEN: listenAddress,
  /** The operator API's own port; never reachable from where partners are. */
  OPERATOR_LISTEN: listenAddress,
  /** Several, with commas, while a token is replaced: each is valid. */
  OPERATOR_TOKEN: commaList.pipe(z.array(z.string().min(20, 'must have at least 20 characters')).min(1)),
  /** Our own public address; never taken from a request. */
  PUBLIC_URL: httpUrl,
  /** Accepted hosts of a request, besides that of PUBLIC_URL. */
  PUBLIC_HOSTS: commaList.default([]),
  /** The number of trusted proxies in front of the gateway, each of which adds to X-Forwarded-For. */
  PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** Wrong credentials from one address (IPv6: from one /64 network) that are verified with identity. */
  AUTH_FAILURES_PER_SECOND: z.coerce.number().positive().default(10),
  AUTH_FAILURES_BURST: z.coerce.number().int().positive().default(300),
  /** Failures at the pages and at OAuth from one address that are let through to a service. */
  PAGE_FAILURES_PER_SECOND: z.coerce.number().positive().default(20),
  PAGE_FAILURES_BURST: z.coerce.number().int().positive().default(1000),
  /** The general limit per credential; without it there is none. */
  RATE_LIMIT_PER_SECOND: z.coerce.number().positive().optional(),
  RATE_LIMIT_BURST: z.coerce.number().int().positive().default(500),
  /** The total time limit of a request, unless its endpoint has its own. */
  REQUEST_TIME_MAX_MS: z.coerce.number().int().min(100).max(60_000).default(15_000),
  /** "on" checks every response against its declaration: for tests and the local stack. */
  CHECK_RESPONSES: z.enum(['on', 'off']).default('off'),
  /** Other origins that the dashboard connects to: a sandbox, and the SIP server of softphones. */
  SANDBOX_URL: httpUrl.optional(),
  SIP_WEBSOCKET_URL: z.union([z.url({ protocol: /^wss?$/ }), z.literal('')]).default(''),
  /** The folder of the built dashboard. */
  DASHBOARD_DIR: z.string().default(path.join(import.meta.dirname, '../dashboard/dist')),
  IDENTITY_ADDRESS: z.string(),
  DIRECTORY_ADDRESS: z.string(),
  NUMBERS_ROUTING_ADDRESS: z.string(),
  CALL_CONTROL_ADDRESS: z.string(),
  MESSAGING_INBOX_ADDRESS: z.string(),
  WEBHOOKS_ADDRESS: z.string(),
  REPORTS_ADDRESS: z.string(),
  ASSISTANT_ADDRESS: z.string(),
  SPEECH_ADDRESS: z.string(),
});

export type Config = z.output<typeof config>;
