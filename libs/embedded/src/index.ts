export { type EmbeddedMongo, type MongoOptions, startMongo } from './mongo/start-mongo.ts';
export { natsUser, type NatsUser } from './nats/nats-config.ts';
export { type EmbeddedNats, type NatsOptions, startNats } from './nats/start-nats.ts';
export { freePort } from './process/free-port.ts';
export { type SupervisedProcess, type SuperviseOptions, superviseProcess } from './process/supervised-process.ts';
