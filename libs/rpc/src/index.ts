export {
  type Admission,
  type Caller,
  type EmployeeCaller,
  employees,
  type OperatorCaller,
  operators,
  operatorsOr,
  type ServiceCaller,
  services,
} from './caller.ts';
export { type CallOptions, type Channel, type ChannelOptions, connectRpc, type RpcClient } from './client.ts';
export { createProver, createVerifier, type Prover, type Verifier } from './proof.ts';
export {
  type Call,
  createRpcServer,
  type Handler,
  type Handlers,
  type RpcServer,
  type RpcServerOptions,
} from './server.ts';
export type { TlsFiles } from './tls.ts';
export { type Passage, Unavailable, withPassage } from './wire.ts';
