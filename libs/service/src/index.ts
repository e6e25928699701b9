export {
  baseSettings,
  ConfigError,
  type Environment,
  grpcServerSettings,
  listenAddress,
  loadConfig,
  natsSettings,
  rpcSettings,
  commaList,
  egressSettings,
  httpOrigin,
  httpUrl,
  statefulServiceSettings,
} from './config.ts';
export type { Health, Lifecycle, HealthCheck } from './lifecycle.ts';
export { type ServiceRuntime, openRuntime, openBroker, openPeers, serveGrpc } from './runtime.ts';
export { stopOnCrash } from './crash-handler.ts';
export { reportCrash, runMain, type Running, type RunningService, startService } from './run.ts';
export { defineService, type Service } from './service.ts';
export { type FollowsEvents, openStatefulService, type StatefulService } from './stateful-service.ts';
export { addressSetting, serviceNames } from './service-names.ts';
export { VERSION } from './version.ts';
