import type { IncomingMessage } from 'node:http';
import { systemClock } from '@parley/clock';
import { createApi, createApp, createRateLimiter, type Listening, listenHttp } from '@parley/http';
import type { EmployeePrincipal, OperatorPrincipal } from '@parley/rpc';
import { type Lifecycle, openRuntime, openBroker, openPeers } from '@parley/service';
import { apiDocsRouter } from './api-docs/api-docs-router.ts';
import { type AddressOf, clientAddress, warnOfUncountedProxy } from './client-address/client-address.ts';
import type { Config } from './config.ts';
import { authenticate, authenticateOperator, authenticateWithSession } from './credentials/authenticate.ts';
import { cacheVerifications, type EvictCredential, evictRevoked } from './credentials/verified-credentials.ts';
import { verifyCredentialById, verifyAccessToken, verifyApiKey } from './credentials/verify-with-identity.ts';
import { dashboardFiles } from './dashboard-files/dashboard-files.ts';
import { limitFailures } from './client-address/failure-limit.ts';
import { healthRouter } from './health.ts';
import { startCable } from './live/cable-server.ts';
import { mediaEndpoints } from './media/media-endpoints.ts';
import { allowCrossOrigin } from './oauth/cross-origin.ts';
import { mcpApi } from './mcp/index.ts';
import { identityApis } from './identity-apis.ts';
import { traceRequests } from './trace-requests.ts';
import { operatorEndpoints } from './operator/index.ts';
import { unknownAddressPage } from './pages/unknown-address.ts';
import { readVisitor } from './pages/visitor.ts';
import { openChannels, openClients } from './peers/peers.ts';
import { providerCallbackEndpoints } from './provider-callbacks/index.ts';
import { publicEndpoints } from './routes/public-api.ts';
import { baseUrls } from './well-known/base-url.ts';

export const SERVICE = 'gateway';

/** No operator needs more, and nobody without a token shall have thousands. */
const OPERATOR_SOCKETS_PER_ADDRESS_MAX = 500;

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const runtime = await openRuntime(SERVICE, config, lifecycle);
  const { clock, telemetry } = runtime;
  const { log } = telemetry;
  const broker = await openBroker(runtime, config);
  const channels = openChannels(openPeers(runtime, config).connect, config);
  const clients = openClients(channels);

  const apiKeys = cacheVerifications(verifyApiKey(clients));
  const accessTokens = cacheVerifications(verifyAccessToken(clients));
  /** Credentials that recordings were given to. */
  const holders = cacheVerifications(verifyCredentialById(clients));
  const verified = [apiKeys, accessTokens, holders];
  for (const credentials of verified) evictRevoked(broker, credentials);
  if ('onMove' in clock) clock.onMove(() => verified.forEach((credentials) => credentials.evictAll()));
  const evict: EvictCredential = (revoked) => verified.forEach((credentials) => credentials.evict(revoked));
  const addressOf: AddressOf = (request) => clientAddress(request, config.PROXY_HOPS);
  const failures = createRateLimiter({
    perSecond: config.AUTH_FAILURES_PER_SECOND,
    burst: config.AUTH_FAILURES_BURST,
    clock: systemClock,
  });
  const failureLimit = limitFailures({
    failures: createRateLimiter({
      perSecond: config.PAGE_FAILURES_PER_SECOND,
      burst: config.PAGE_FAILURES_BURST,
      clock: systemClock,
    }),
    addressOf,
  });
  const authenticateEmployee = authenticate({ apiKeys, accessTokens, failures, addressOf });

  const observe = traceRequests(telemetry, config.REQUEST_TIME_MAX_MS, addressOf);
  const every = { observe, checkResponses: config.CHECK_RESPONSES === 'on' };
  const baseUrl = baseUrls(config.PUBLIC_URL, config.PUBLIC_HOSTS);
  const perSecond = config.RATE_LIMIT_PER_SECOND;
  const originOf = (request: IncomingMessage) => new URL(baseUrl(request)).origin;
  const dashboard = dashboardFiles(config.DASHBOARD_DIR, log);
  const visitorOf = readVisitor(clients, {
    baseUrl,
    addressOf,
    failureLimit,
    dashboard: {
      sandboxUrl: config.SANDBOX_URL,
      sipWebsocketUrl: config.SIP_WEBSOCKET_URL || undefined,
      scriptsOf: dashboard.scriptsOf,
    },
  });
  const signedInEmployee = async (request: IncomingMessage) => (await visitorOf(request)).employee;
  const forEmployees = {
    endpoints: publicEndpoints(clients, evict, config.PUBLIC_URL),
    authenticate: authenticateEmployee,
    limit: perSecond
      ? {
          limiter: createRateLimiter({ perSecond, burst: config.RATE_LIMIT_BURST, clock }),
          keyOf: ({ credentialId }: EmployeePrincipal) => credentialId,
        }
      : undefined,
  };
  const publicApi = createApi<EmployeePrincipal>({
    ...every,
    ...forEmployees,
    authenticate: authenticateWithSession({ authenticate: authenticateEmployee, signedInEmployee, originOf }),
    prefix: '/api/v1',
  });
  const mcp = mcpApi({
    ...forEmployees,
    clients,
    publicUrl: config.PUBLIC_URL,
    publicHosts: config.PUBLIC_HOSTS,
    baseUrl,
    telemetry,
    every,
  });
  const mediaApi = createApi({ ...every, prefix: '/media', endpoints: mediaEndpoints(clients, holders) });
  const callbackApi = createApi({ ...every, prefix: '/webhooks', endpoints: providerCallbackEndpoints(clients) });
  const operatorApi = createApi<OperatorPrincipal>({
    ...every,
    prefix: '/operator/v1',
    endpoints: operatorEndpoints(clients, evict),
    authenticate: authenticateOperator(config.OPERATOR_TOKEN),
  });

  const identity = identityApis({
    clients,
    evict,
    baseUrl,
    addressOf,
    visitorOf,
    every,
  });

  const publicApp = createApp({
    middleware: [warnOfUncountedProxy(log, config.PROXY_HOPS), failureLimit.middleware, allowCrossOrigin],
    apis: [publicApi, mediaApi, callbackApi, mcp, ...identity],
    routers: [healthRouter(channels, broker), apiDocsRouter(publicApi, config.PUBLIC_URL, baseUrl), dashboard.router],
    log,
    observe,
    notFound: unknownAddressPage({ secure: config.PUBLIC_URL.startsWith('https:') }),
  });
  const operatorApp = createApp({ apis: [operatorApi], log, observe });
  const publicHttp = await listenHttp(publicApp, config.PUBLIC_LISTEN, { log });
  serveUntilStopped(lifecycle, 'public', publicHttp);
  const cable = startCable({
    http: publicHttp,
    broker,
    telemetry,
    clients,
    credentials: {
      authenticate: authenticateEmployee,
      signedInEmployee,
      isOwnOrigin: (request) => request.headers.origin === originOf(request),
    },
  });
  lifecycle.defer('live channel', () => cable.stop());
  const operatorHttp = await listenHttp(operatorApp, config.OPERATOR_LISTEN, {
    log,
    refusesPages: true,
    socketsPerAddressMax: OPERATOR_SOCKETS_PER_ADDRESS_MAX,
  });
  serveUntilStopped(lifecycle, 'operator', operatorHttp);
}

/** Graceful shutdown: kept connections are closed with their next response from the start of draining, the listener after it. */
function serveUntilStopped(lifecycle: Lifecycle, name: string, http: Listening): void {
  lifecycle.listening(name, http.address);
  lifecycle.stopping.addEventListener('abort', () => http.drain());
  lifecycle.defer(`${name} http`, () => http.close());
}
