export {
  baseSettings,
  ConfigError,
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
export type { Lifecycle } from './lifecycle.ts';
export { type ServiceRuntime, openRuntime, openBroker, openPeers, serveGrpc } from './runtime.ts';
export {
  stopOnCrash,
  reportCrash,
  runMain,
  type Running,
  type RunningService,
  startService,
  defineService,
  type Service,
} from './run.ts';
export { type FollowsEvents, openStatefulService, type StatefulService } from './stateful-service.ts';
export { addressSetting, serviceNames } from './service-names.ts';
export { VERSION } from './version.ts';
