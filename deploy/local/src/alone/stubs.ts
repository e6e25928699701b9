import { startTelemetry } from '@parley/telemetry';
import { defaultAnswer, fakeContract, startFakePeer } from '@parley/stubs';
import { startAll, type Stoppable } from '../start-all.ts';
import { contractsOf } from './contracts.ts';

export interface StubOptions {
  /** The services to stub. */
  readonly names: readonly string[];
  readonly address: (name: string) => string;
  /** Public keys by service. */
  readonly trustedKeys: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Serves the contracts of services that are not there; every method answers what its schema allows. */
export async function startStubs({ names, address, trustedKeys, log, signal }: StubOptions): Promise<Stoppable> {
  const telemetry = startTelemetry({ service: 'stubs', version: '0', logLevel: 'silent' });
  const stubs = await startAll(
    names.map((name) => async () => {
      const contracts = await contractsOf(name);
      return startFakePeer(
        contracts.map((contract) => fakeContract(contract, {})),
        {
          address: address(name),
          trustedKeys,
          telemetry,
          async unanswered(method, request, principal) {
            log(`${name}: ${method.parent.name}/${method.name}`);
            return defaultAnswer(method, request, principal);
          },
        },
      );
    }),
    signal,
  );
  return {
    async stop() {
      await Promise.all(stubs.map((stub) => stub.stop()));
      await telemetry.stop();
    },
  };
}
