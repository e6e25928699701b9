export {
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
export { type RpcOptions, type Channel, connectRpc, type RpcClient } from './client.ts';
export { decodeList, encodeList } from './encoded-list.ts';
export { newKeyPair } from './key-pair.ts';
export { createProver, createVerifier, type Prover } from './proof.ts';
export {
  type RpcContext,
  createRpcServer,
  type EncodedHandler,
  type Handler,
  type Handlers,
  type RpcServer,
} from './server.ts';
export { type TlsFiles, Unavailable, withRequestScope } from './wire.ts';
