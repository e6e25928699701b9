import { Readable } from 'node:stream';
import { type DescMethod, type DescService, fromJson, type JsonValue, type Message, toJson } from '@bufbuild/protobuf';
import { connectRpc, createProver, type EmployeePrincipal, type Principal } from '@parley/rpc';
import { startTelemetry } from '@parley/telemetry';
import type { Secrets } from '../secrets.ts';

export interface RpcCall {
  readonly address: string;
  readonly contract: DescService;
  readonly method: DescMethod;
  readonly request: JsonValue;
  readonly principal: Principal;
  readonly secrets: Pick<Secrets, 'services'>;
}

/** The method of `Contract/Method` and its contract; the error lists what there is. */
export function findMethod(
  contracts: readonly DescService[],
  name: string,
): { contract: DescService; method: DescMethod } {
  const [contractName, methodName] = name.split('/');
  const contract = contracts.find((one) => one.name === contractName || one.typeName === contractName);
  const method = contract?.methods.find((one) => one.name === methodName);
  if (!contract || !method) throw new Error(`there is no ${name}; there are\n${listMethods(contracts)}`);
  return { contract, method };
}

export function listMethods(contracts: readonly DescService[]): string {
  return contracts
    .flatMap((contract) => contract.methods.map((method) => `  ${contract.name}/${method.name}  ${fieldsOf(method)}`))
    .join('\n');
}

function fieldsOf({ input }: DescMethod): string {
  return `{${input.fields.map(({ jsonName }) => jsonName).join(', ')}}`;
}

const EMPLOYEE = { companyId: `com_${'0'.repeat(31)}1`, employeeId: `emp_${'0'.repeat(31)}1` };

/** `operator`, `employee`, `employee:<company>/<employee>`, `employee:<company>/<employee>/<role>` or the name of a service. */
export function principalFrom(text: string): Principal {
  if (text === 'operator') return { kind: 'operator' };
  const [kind, ids] = text.split(':');
  if (kind !== 'employee') return { kind: 'service', name: text };
  const [companyId = EMPLOYEE.companyId, employeeId = EMPLOYEE.employeeId, role = 'owner'] = ids?.split('/') ?? [];
  const credential = {
    credentialId: `key_${'0'.repeat(31)}1`,
    credentialType: 'api_key',
    credentialName: 'rpc',
  } as const;
  const employee = { companyId, employeeId, employeeName: 'rpc', role: role as EmployeePrincipal['role'] };
  return { kind: 'employee', ...employee, ...credential };
}

/** Calls a service as the principal, with the keys of its data directory; every message of the answer as JSON. */
export async function* callRpc(call: RpcCall): AsyncGenerator<JsonValue> {
  const { address, contract, method, request, principal, secrets } = call;
  const caller = principal.kind === 'service' ? principal.name : 'gateway';
  const signingKey = secrets.services[caller]?.signingKey;
  if (!signingKey) throw new Error(`there is no service ${caller}`);
  const telemetry = startTelemetry({ service: 'rpc', version: '0', logLevel: 'silent' });
  const channel = connectRpc({ address, telemetry, prover: createProver(caller, signingKey) });
  try {
    const client = channel.client(contract) as Record<string, (request: unknown, options: object) => unknown>;
    const message = fromJson(method.input, request);
    const requests = method.methodKind === 'bidi_streaming' ? Readable.from([message]) : message;
    const answer = client[method.localName]?.(requests, { as: principal });
    if (method.methodKind === 'unary') yield toJson(method.output, (await answer) as Message);
    else for await (const one of answer as AsyncIterable<Message>) yield toJson(method.output, one);
  } finally {
    channel.close();
    await telemetry.stop();
  }
}
