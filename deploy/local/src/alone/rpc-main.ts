/**
 * `npm run rpc -- <service> [<Contract/Method> [<request as JSON>]] [--as <principal>]`: calls a service of the stack, or one
 * that was started alone. Without a method it lists those of the service.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonValue } from '@bufbuild/protobuf';
import type { Secrets } from '../secrets.ts';
import { callRpc, findMethod, listMethods, principalFrom } from './call-rpc.ts';
import { contractsOf } from './contracts.ts';
import type { ServiceAddresses } from './start-alone.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../../..');

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { as: { type: 'string' } } });
  const [service = '', name, request = '{}'] = positionals;
  const contracts = await contractsOf(service);
  if (contracts.length === 0) throw new Error(`'${service}' is no service with gRPC`);
  if (name === undefined) console.log(listMethods(contracts));
  else {
    const { contract, method } = findMethod(contracts, name);
    const principal = principalFrom(values.as ?? (contract.name.includes('Admin') ? 'operator' : 'employee'));
    const call = { ...runningService(service), contract, method, request: JSON.parse(request) as JsonValue, principal };
    for await (const message of callRpc(call)) console.log(JSON.stringify(message, null, 2));
  }
} catch (error) {
  const { message } = error as Error;
  const hint = message.startsWith('forbidden')
    ? ' (--as operator, --as employee:<company>/<employee> or --as <service>)'
    : '';
  console.error(`parley: ${message}${hint}`);
  process.exitCode = 1;
}

/** The data directory with this service that is in use: the file with its sockets' folder is there while it runs. */
function runningService(service: string): { address: string; secrets: Secrets } {
  const base = path.resolve(CHECKOUT, process.env['PARLEY_DATA_DIR'] || '.parley');
  const candidates = [...globSync(path.join(base, 'only/*')), base].filter((directory) =>
    existsSync(path.join(directory, 'sockets.json')),
  );
  for (const directory of candidates) {
    const read = <T>(file: string) => JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as T;
    const { services } = read<{ services?: Record<string, ServiceAddresses> }>('local.json');
    const address = services
      ? services[service]?.grpc
      : `unix:${path.join(read<{ path: string }>('sockets.json').path, `${service}.grpc.sock`)}`;
    if (address) return { address, secrets: read<Secrets>('secrets.json') };
  }
  throw new Error(`${service} does not run; start it with \`npm start -- ${service}\` or \`npm start\``);
}
