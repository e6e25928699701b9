import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { createRpcServer, createVerifier, type Handlers, type Principal } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';

/** A contract of a fake service, with responses for some of its methods. */
export interface FakeContract {
  readonly contract: DescService;
  readonly answers: Readonly<Record<string, unknown>>;
}

export function fakeContract<Desc extends DescService>(
  contract: Desc,
  answers: Partial<Handlers<Desc, Principal>>,
): FakeContract {
  return { contract, answers };
}

/** Handles a method for which the test has defined no response. */
export type UnansweredMethod = (
  method: DescMethod,
  request: unknown,
  principal: Principal,
) => Promise<Record<string, unknown>>;

export interface FakePeerOptions {
  readonly address: string;
  /** Public keys by service. */
  readonly trustedKeys: Readonly<Record<string, string>>;
  readonly telemetry: Telemetry;
  /** Without it the call fails. */
  readonly unanswered?: UnansweredMethod;
}

const failUnanswered: UnansweredMethod = async (method) => {
  throw new Error(`${method.parent.typeName}/${method.name} has no answer in this test`);
};

/** Serves contracts over real gRPC. It verifies proofs with the trusted keys and allows every principal. */
export async function startFakePeer(
  contracts: readonly FakeContract[],
  { address, trustedKeys, telemetry, unanswered = failUnanswered }: FakePeerOptions,
): Promise<{ stop(): Promise<void> }> {
  const server = createRpcServer({ telemetry, verify: createVerifier(trustedKeys), ready: async () => true });
  for (const { contract, answers } of contracts) {
    const handlers = contract.methods.map((method) => [
      method.localName,
      answers[method.localName] ?? unansweredHandler(method, unanswered),
    ]);
    server.add(contract, (principal) => principal, Object.fromEntries(handlers));
  }
  await server.listen(address);
  return { stop: () => server.close(100) };
}

function unansweredHandler(method: DescMethod, unanswered: UnansweredMethod) {
  const answer = (request: unknown, { principal }: { principal: Principal }) => unanswered(method, request, principal);
  if (method.methodKind === 'unary') return answer;
  return async function* (request: unknown, context: { principal: Principal }) {
    yield await answer(request, context);
  };
}
