export {
  type AccessRule,
  type CredentialType,
  type Principal,
  type EmployeePrincipal,
  employees,
  type OperatorPrincipal,
  operators,
  operatorsOr,
  type ServicePrincipal,
  services,
} from './principal.ts';
export {
  type RpcOptions,
  type Channel,
  type ChannelOptions,
  connectRpc,
  type EncodedClient,
  type RpcClient,
} from './client.ts';
export { decodeList, encodeList } from './encoded-list.ts';
export { type KeyPair, newKeyPair } from './key-pair.ts';
export { createProver, createVerifier, type Prover, type Verifier } from './proof.ts';
export {
  type RpcContext,
  createRpcServer,
  type EncodedHandler,
  type Handler,
  type Handlers,
  type RpcServer,
  type RpcServerOptions,
} from './server.ts';
export type { TlsFiles } from './tls.ts';
export { type RequestScope, Unavailable, withRequestScope } from './wire.ts';
