export {
  baseSettings,
  ConfigError,
  type Environment,
  grpcServerSettings,
  listenAddress,
  loadConfig,
  mongoSettings,
  natsSettings,
  rpcSettings,
} from './config.ts';
export type { Health, Life, ReadinessCheck } from './life.ts';
export { type Basis, openBasis, openBroker, openDatabase, openFollower, openPeers, serveGrpc } from './parts.ts';
export { runMain, type Running, startService } from './run.ts';
export { defineService, type Service } from './service.ts';
