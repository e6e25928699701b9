export { freePort } from '@parley/embedded';
export { type OwnMongo, ownMongo } from './servers/own-mongo.ts';
export { type OwnNats, ownNats } from './servers/own-nats.ts';
export type { OwnServer } from './servers/own-server.ts';
export type { Servers } from './servers/servers.ts';
export { startTestServers } from './servers/start-test-servers.ts';
export { type TestMongo, testMongo } from './servers/test-mongo.ts';
export { startWireProxy, type WireProxy } from './servers/wire-proxy.ts';
export { natsAt, type TestNats, testNats } from './servers/test-nats.ts';
export { type CrashMoment, crashingDb } from './database/crashing-db.ts';
export {
  missingFields,
  RELEASE_KEY,
  RELEASE_WRITES,
  releaseDocuments,
  restoreRelease,
} from './database/release-documents.ts';
export { documentQueryPlan, explainCommand, type QueryPlan, queryPlans } from './database/query-plan.ts';
export {
  countWithCommands,
  insertEntities,
  storedDocument,
  type StoredEntity,
  storedEntities,
  writeCount,
} from './database/stored-documents.ts';
export { longestStepMs } from './utilities/event-loop-steps.ts';
export { scratchDir } from './utilities/scratch-dir.ts';
export { uniqueName } from './utilities/unique-name.ts';
export { type WaitOptions, waitUntil } from './utilities/wait-until.ts';
