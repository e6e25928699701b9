import type { MessageInitShape } from '@bufbuild/protobuf';
import { checkUrl, urlProblems } from '@parley/egress';
import { notFound, Refused } from '@parley/errors';
import {
  type AssistantEndpointSchema,
  AssistantEndpointService,
  EndpointState,
  type PutAssistantEndpointRequest,
} from '@parley/proto/assistant/v1/endpoint_pb';
import { type EmployeePrincipal, employees, type RpcServer } from '@parley/rpc';
import { egressPolicyFrom } from '../config.ts';
import type { ServiceContext } from '../service-context.ts';
import { keyContext, putEndpoint, removeEndpoint, type WrittenEndpoint } from './endpoint.ts';
import { amountIn, type TokenUsage } from './endpoint-spend.ts';
import type { EndpointInUse, Endpoints, EndpointView } from './endpoint-store.ts';

/** How an endpoint has answered a trial. */
export interface EndpointTrial {
  readonly ok: boolean;
  /** Null without a token. */
  readonly firstTokenMs: number | null;
  readonly streams: boolean;
  readonly callsTools: boolean;
  readonly error: 'unreachable' | 'unauthorized' | 'unknown_model' | 'timeout' | 'no_tools' | 'invalid_answer' | null;
  readonly used: TokenUsage;
}

export type TestEndpoint = (endpoint: EndpointInUse) => Promise<EndpointTrial>;

type Deps = ServiceContext & { readonly endpoints: Endpoints; readonly testEndpoint: TestEndpoint };

/** Every RPC of the contract. */
export function addAssistantEndpointService(server: RpcServer, deps: Deps): void {
  const { endpoints, encryptor, config, testEndpoint } = deps;
  const policy = egressPolicyFrom(config);
  server.add(AssistantEndpointService, employees.withRole('admin'), {
    async getAssistantEndpoint(_request, { principal: { companyId } }) {
      return { endpoint: endpointToProto(await endpoints.view(companyId)) };
    },
    async putAssistantEndpoint(request, { principal }) {
      const { companyId } = principal;
      const check = await checkUrl(request.url, policy);
      const written = writtenFromProto(request, check.ok ? null : urlProblems[check.problem]);
      await endpoints.put(companyId, (identity, current) =>
        putEndpoint(identity, current, written, {
          byApp: isByApp(principal),
          encrypt: (key) => encryptor.encrypt(key, keyContext(identity.id)),
        }),
      );
      return { endpoint: endpointToProto(await endpoints.view(companyId)) };
    },
    async deleteAssistantEndpoint(_request, { principal }) {
      await endpoints.remove(principal.companyId, (current) => removeEndpoint(current, { byApp: isByApp(principal) }));
      return {};
    },
    async testAssistantEndpoint(_request, { principal: { companyId } }) {
      const endpoint = await endpoints.own(companyId);
      if (!endpoint) throw new Refused(notFound);
      const { ok, firstTokenMs, streams, callsTools, error, used } = await testEndpoint(endpoint);
      if (used.inputTokens + used.outputTokens > 0) await endpoints.addSpend(companyId, endpoint.source, used);
      return {
        ok,
        streams,
        callsTools,
        ...(firstTokenMs !== null && { firstTokenMs }),
        ...(error !== null && { error }),
      };
    },
  });
}

function isByApp({ credentialType }: EmployeePrincipal): boolean {
  return credentialType === 'oauth_token';
}

function writtenFromProto(request: PutAssistantEndpointRequest, urlProblem: string | null): WrittenEndpoint {
  const { url, model, key, prices, monthlySpendLimit = null } = request;
  return {
    url,
    urlProblem,
    model,
    apiKey: key.case === undefined ? undefined : key.case === 'apiKey' ? key.value : null,
    prices: prices
      ? {
          currency: prices.currency,
          inputPerMillion: prices.inputPerMillion,
          outputPerMillion: prices.outputPerMillion,
        }
      : null,
    monthlySpendLimit,
  };
}

const STATES = {
  ok: EndpointState.OK,
  failing: EndpointState.FAILING,
  limit_reached: EndpointState.LIMIT_REACHED,
  not_set: EndpointState.NOT_SET,
} as const;

function endpointToProto({
  endpoint,
  spend,
  state,
  lastError,
}: EndpointView): MessageInitShape<typeof AssistantEndpointSchema> {
  const prices = endpoint?.prices ?? null;
  const amount = amountIn(spend, prices);
  return {
    ...(endpoint && { url: endpoint.url, model: endpoint.model }),
    apiKeySet: (endpoint?.encryptedApiKey ?? null) !== null,
    ...(prices && { prices }),
    ...(endpoint && endpoint.monthlySpendLimit !== null && { monthlySpendLimit: endpoint.monthlySpendLimit }),
    spend: {
      month: spend.month,
      ...(amount !== null && { amount }),
      ...(prices && { currency: prices.currency }),
      inputTokens: BigInt(spend.company.inputTokens),
      outputTokens: BigInt(spend.company.outputTokens),
    },
    state: STATES[state],
    ...(lastError !== null && { lastError }),
  };
}
