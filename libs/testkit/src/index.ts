export { type OwnMongo, ownMongo } from './own-mongo.ts';
export { type OwnNats, ownNats } from './own-nats.ts';
export type { OwnServer } from './own-server.ts';
export { scratchDir } from './scratch-dir.ts';
export { type TestMongo, testMongo } from './test-mongo.ts';
export { type TestNats, testNats } from './test-nats.ts';
export { uniqueName } from './unique-name.ts';
export { type WaitOptions, waitUntil } from './wait-until.ts';
